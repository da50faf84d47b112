import {
  redactedAttempt,
  redactedOptions,
  redactedReason,
  type IsCleared,
} from '../../../../domain/records/redaction.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { attemptsText, readAttempts } from '../layout/attempt-lines.ts';
import type { RedactableJob } from '../scripts/families.ts';

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
