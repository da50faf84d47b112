import type { EndedState } from '../jobs/job-status.ts';
import { retentionShape } from '../jobs/job-retention.ts';
import { object, optional, type Shaped } from '../values/shape.ts';

/** How many jobs that ended a queue keeps, and for how long, whatever jobs and workers say (reach contract, section 20). */
export const retentionPolicyShape = object('RetentionPolicy', {
  completed: optional(retentionShape, 'Which completed jobs may stay; all unless given'),
  failed: optional(retentionShape, 'Which failed jobs may stay; all unless given'),
});

export type RetentionPolicy = Shaped<typeof retentionPolicyShape>;

/** The jobs that are beyond a retention. */
export interface Beyond {
  /** Those that ended by this time (epoch ms). */
  readonly endedBy?: number;
  /** The oldest ones, until no more than this many are left. */
  readonly downTo?: number;
}

/** @returns undefined where every job that ended so may stay. */
export function beyondRetention(
  retention: RetentionPolicy,
  state: EndedState,
  now: number,
): Beyond | undefined {
  const { age, count } = retention[state] ?? {};
  if (age === undefined && count === undefined) return undefined;
  return {
    ...(age !== undefined && { endedBy: now - age * 1000 }),
    ...(count !== undefined && { downTo: count }),
  };
}

/** Whether jobs may be beyond it. */
export function isLimiting(retention: RetentionPolicy): boolean {
  return [retention.completed, retention.failed].some(
    (kept) => kept?.age !== undefined || kept?.count !== undefined,
  );
}
