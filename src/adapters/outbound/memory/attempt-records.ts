import {
  attemptsCount,
  KEPT_ATTEMPTS,
  type AttemptRecord,
} from '../../../domain/attempt-record.ts';
import type { StoredJob } from './stored-job.ts';

/** Without its replica: a store in memory has one. */
export type StoredAttempt = Omit<AttemptRecord, 'replica'>;

/** What is known of an attempt where it ends. */
export type EndedAttempt = Pick<StoredAttempt, 'outcome'> &
  Partial<Pick<StoredAttempt, 'status' | 'response' | 'reason'>>;

/** Puts an attempt that ends now on record. */
export function recordAttempt(job: StoredJob, attempt: EndedAttempt, now: number): void {
  const { attempts, processedOn = now } = job;
  const { outcome, status = null, reason = null, response = null } = attempt;
  const number = attemptsCount(attempts) + 1;
  const ended = { number, startedAt: processedOn, endedAt: now };
  job.attempts = [...attempts, { ...ended, outcome, status, reason, response }].slice(
    -KEPT_ATTEMPTS,
  );
}
