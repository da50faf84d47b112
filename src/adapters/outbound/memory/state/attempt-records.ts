import {
  attemptsCount,
  KEPT_ATTEMPTS,
  type AttemptRecord,
} from '../../../../domain/attempts/attempt-record.ts';
import type { StoredJob } from './stored-job.ts';

/** Without the replica: a memory store has only one. */
export type StoredAttempt = Omit<AttemptRecord, 'replica'>;

/** The fields of an attempt that are known when it ends. */
export type EndedAttempt = Pick<StoredAttempt, 'outcome'> &
  Partial<Pick<StoredAttempt, 'status' | 'response' | 'reason'>>;

/** Records an attempt that ends now. */
export function recordAttempt(job: StoredJob, attempt: EndedAttempt, now: number): void {
  const { attempts, processedOn = now } = job;
  const { outcome, status = null, reason = null, response = null } = attempt;
  const number = attemptsCount(attempts) + 1;
  const ended = { number, startedAt: processedOn, endedAt: now };
  job.attempts = [...attempts, { ...ended, outcome, status, reason, response }].slice(
    -KEPT_ATTEMPTS,
  );
}
