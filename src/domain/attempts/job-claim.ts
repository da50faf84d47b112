import { checkShape } from '../values/check-shape.ts';
import { integer, object, optional, type Shaped } from '../values/shape.ts';

/** How long (ms) a client may hold a job without a report. */
export const lockShape = integer(1000, 43_200_000);

/** The options of a claim by a client that pulls jobs. */
export const jobClaimShape = object('JobClaim', {
  count: optional(integer(1, 100), 'Most jobs to take; 1 unless given'),
  wait: optional(
    integer(0, 60_000),
    'Milliseconds to wait for the first job when there is none; 0 unless given',
  ),
  lock: optional(
    lockShape,
    'Milliseconds that the jobs are held without a report; `LOCK_DURATION` unless given',
  ),
});

export type JobClaimInput = Shaped<typeof jobClaimShape>;

export interface JobClaim {
  readonly count: number;
  readonly wait: number;
  readonly lock: number;
  /** True for a client that receives messages, which are in flight for `lock` ms. */
  readonly isReceived?: boolean;
}

/**
 * @param lockDuration how long (ms) a job is held unless the client asks for another time.
 * @throws DomainError `invalid-request` naming the field.
 */
export function jobClaim(input: JobClaimInput, lockDuration: number): JobClaim {
  checkShape(jobClaimShape, input, '');
  const { count = 1, wait = 0, lock = lockDuration } = input;
  return { count, wait, lock };
}
