import {
  redactedAttempt,
  redactedOptions,
  redactedReason,
  type IsCleared,
} from '../../../../domain/records/redaction.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import { attemptsText, readAttempts } from '../layout/attempt-lines.ts';

/** What is read of a job that is to be redacted. */
export type RedactableJob = readonly [
  id: string,
  finishedOn: string,
  failedReason: string | null,
  attempts: string | null,
  opts: string | null,
];

/** The arguments that the script takes of it: what stands in the place of its values. */
export function redactedArguments(
  job: RedactableJob,
  isCleared?: IsCleared,
): readonly ScriptArgument[] {
  const [id, finishedOn, reason, attempts, opts] = job;
  const recorded = attempts === null ? [] : readAttempts(attempts);
  return [
    id,
    finishedOn,
    redactedReason(reason ?? undefined, isCleared) ?? '',
    attemptsText(recorded.map((attempt) => redactedAttempt(attempt, isCleared))),
    opts === null ? '' : redactedOptions(opts),
  ];
}
