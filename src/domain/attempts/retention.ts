import type { JobRetention, Retention } from '../jobs/job-retention.ts';

/** Most jobs that go for their age when another one ends: more of them go with those that end next. */
export const MOST_REMOVED_FOR_AGE = 1000;

/** The rule for a job that ends: what it says itself goes before what its worker says. */
export function retentionFor(
  own: JobRetention | undefined,
  ofWorker: Retention | undefined,
): Retention {
  if (own === undefined) return ofWorker ?? {};
  if (typeof own === 'boolean') return own ? { count: 0 } : {};
  return typeof own === 'number' ? { count: own } : own;
}

/** Whether a job that ends under the rule goes itself. It then says nothing of those that ended before, as in BullMQ. */
export function removesItself({ count }: Retention): boolean {
  return count === 0;
}
