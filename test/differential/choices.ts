import fc from 'fast-check';
import type { Retention } from '../../src/domain/jobs/job-retention.ts';
import { SOON, LATER } from './time.ts';

/** Most steps are about one queue, so that they meet. */
export const queue = fc.constantFrom(0, 0, 0, 1);

export const replica = fc.constantFrom(0, 1);

/** Which of the jobs that have come up, from the latest back. */
export const job = fc.oneof(fc.nat(3), fc.nat(30));

/** Which of the attempts, from the latest back; those that still run are among the latest, as a rule. */
export const attempt = fc.oneof({ weight: 3, arbitrary: fc.nat(2) }, fc.nat(20));

/** Over after one minute that passes, or after two. */
export const duration = fc.constantFrom(SOON, LATER);

export const retention = fc.constantFrom<Retention | undefined>(
  undefined,
  undefined,
  { count: 0 },
  { count: 1 },
  { count: 3 },
  { age: 90 },
);
