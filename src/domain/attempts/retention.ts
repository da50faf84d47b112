import type { JobRetention, Retention } from '../jobs/job-retention.ts';

/** Most jobs that go for their age when another one ends: more of them go with those that end next. */
export const MOST_REMOVED_FOR_AGE = 1000;

/** The options by which a job says itself what its end leaves. */
export interface OwnRetention {
  readonly removeOnComplete?: JobRetention | undefined;
  readonly removeOnFail?: JobRetention | undefined;
}

/** Which jobs go when one ends. */
export type Removals =
  /** The job itself. It then says nothing of those that ended before, as in BullMQ. */
  | { readonly of: 'itself' }
  /** Of those that ended the same way, itself included. */
  | {
      readonly of: 'ended';
      /** Those that ended by then (epoch ms), the latest MOST_REMOVED_FOR_AGE of them. */
      readonly endedBy?: number;
      /** The oldest ones, until no more than so many are left. */
      readonly downTo?: number;
    };

/** What the end of a job removes: what the job says itself goes before what its worker says. */
export function removals(
  status: 'completed' | 'failed',
  { removeOnComplete, removeOnFail }: OwnRetention,
  ofWorker: Retention | undefined,
  now: number,
): Removals {
  const own = status === 'completed' ? removeOnComplete : removeOnFail;
  const { count, age } = retentionFor(own, ofWorker);
  if (count === 0) return { of: 'itself' };
  return {
    of: 'ended',
    ...(age !== undefined && { endedBy: now - age * 1000 }),
    ...(count !== undefined && { downTo: count }),
  };
}

function retentionFor(own: JobRetention | undefined, ofWorker: Retention | undefined): Retention {
  if (own === undefined) return ofWorker ?? {};
  if (typeof own === 'boolean') return own ? { count: 0 } : {};
  return typeof own === 'number' ? { count: own } : own;
}
