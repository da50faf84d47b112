import { redactedAttempt, redactedOptions } from '../../../../domain/records/redaction.ts';
import { failureCause } from '../../../../domain/jobs/failure-cause.ts';
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
export function redactedArguments(job: RedactableJob): readonly ScriptArgument[] {
  const [id, finishedOn, reason, attempts, opts] = job;
  return [
    id,
    finishedOn,
    reason === null ? '' : failureCause(reason),
    attempts === null ? '' : attemptsText(readAttempts(attempts).map(redactedAttempt)),
    opts === null ? '' : redactedOptions(opts),
  ];
}
