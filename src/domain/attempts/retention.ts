import type { JobRetention, Retention } from '../jobs/job-retention.ts';

/** How many jobs the end of one job removes for their age, at most; the ends of later jobs remove the rest. */
export const MOST_REMOVED_FOR_AGE = 1000;

/** The retention options of a job itself. */
export interface OwnRetention {
  readonly removeOnComplete?: JobRetention | undefined;
  readonly removeOnFail?: JobRetention | undefined;
}

/** Which jobs to remove when one ends. */
export type Removals =
  /** The job itself. As in BullMQ, the jobs that ended before then stay. */
  | { readonly of: 'itself' }
  /** Some of the jobs that ended the same way, including this one. */
  | {
      readonly of: 'ended';
      /** Those that ended by this time (epoch ms), the latest MOST_REMOVED_FOR_AGE of them. */
      readonly endedBy?: number;
      /** The oldest ones, until no more than this many are left. */
      readonly downTo?: number;
    };

/** What the end of a job removes. The job's own options take precedence over those of its worker. */
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
