import type { DeduplicationOptions } from '../jobs/deduplication.ts';
import type { JobState } from '../jobs/job-status.ts';
import type { Standing } from '../records/deduplication-record.ts';
import { optionsOf, type JobRecord, type ListedJob } from '../records/job-record.ts';
import { inOneStep } from './in-one-step.ts';
import type { QueueState } from './queue-state.ts';

/*
 * Which job of a queue stands for which deduplication id, by the rules of BullMQ. `afterAdd` is the rule; the functions
 * behind it read what it needs and apply what it says.
 */

/** The job that stands for an id, as the rule sees it. */
export interface StandingJob extends Standing {
  /** Undefined when the job is gone. */
  readonly status: JobState | undefined;
}

/** What becomes of a job with a deduplication id. */
export type DeduplicatedAdd =
  /** It is stored, and stands for the id. @param replaces whether the job that stood for it is removed. */
  | { readonly is: 'stored'; readonly standing: Standing; readonly replaces: boolean }
  /** Another job stands for it. */
  | {
      readonly is: 'left-out';
      /** How long the other one stands for the id from now on; absent when that does not change. */
      readonly standing?: Standing;
      /** Whether the job is added when the other one ends. */
      readonly succeeds?: true;
      /** Whether the other one, which is delayed, waits for the delay of this one. */
      readonly reschedules?: true;
    };

/** @param standing undefined when no job stands for the id. */
export function afterAdd(
  jobId: string,
  options: DeduplicationOptions,
  standing: StandingJob | undefined,
  now: number,
): DeduplicatedAdd {
  const { ttl = 0, extend = false, replace = false, reschedule = false } = options;
  const { keepLastIfActive = false } = options;
  const fresh = { jobId, endsAt: endOf(options, now) };
  if (standing === undefined) return { is: 'stored', standing: fresh, replaces: false };
  const { jobId: other, endsAt, status } = standing;
  if (replace && status === 'delayed') {
    const keepsTime = ttl > 0 && !extend && !keepLastIfActive;
    return { is: 'stored', standing: keepsTime ? { jobId, endsAt } : fresh, replaces: true };
  }
  // The job was removed while its id was held without a time.
  if (status === undefined && endsAt === undefined) {
    return { is: 'stored', standing: fresh, replaces: false };
  }
  if (keepLastIfActive && status === 'active') {
    return { is: 'left-out', standing: { jobId: other, endsAt: undefined }, succeeds: true };
  }
  const extended = { jobId: other, endsAt: endOf(options, now) };
  return {
    is: 'left-out',
    ...(!replace && extend && ttl > 0 && { standing: extended }),
    ...(!replace && reschedule && status === 'delayed' && { reschedules: true as const }),
  };
}

/** When the time of a job that stands for an id from now on is over; undefined when it stands for it until it ends. */
function endOf(
  { ttl = 0, keepLastIfActive = false }: DeduplicationOptions,
  now: number,
): number | undefined {
  return ttl > 0 && !keepLastIfActive ? now + ttl : undefined;
}

/** What stands for an id now. */
export function standingFor(
  { deduplications }: QueueState,
  id: string,
  now: number,
): Standing | undefined {
  const standing = deduplications.find(id)?.standing;
  if (standing?.endsAt !== undefined && standing.endsAt <= now) return undefined;
  return standing;
}

/** Frees the deduplication id of a removed job. */
export function freeDeduplication(queue: QueueState, job: ListedJob, now: number): void {
  const { id: jobId, deduplicationId: id } = job;
  if (id === undefined || standingFor(queue, id, now)?.jobId !== jobId) return;
  queue.deduplications.put(id, {});
}

/**
 * Frees the deduplication id of an ended job unless it is held for a time. @returns the successor, which holds the id
 * from now on.
 */
export function succeed(
  queue: QueueState,
  { id: jobId, deduplicationId: id }: ListedJob,
  now: number,
): JobRecord | undefined {
  if (id === undefined) return undefined;
  const standing = standingFor(queue, id, now);
  const { successor } = queue.deduplications.find(id) ?? {};
  if (successor !== undefined) {
    const { deduplication } = optionsOf(successor);
    const endsAt = deduplication && endOf(deduplication, now);
    queue.deduplications.put(id, { standing: { jobId: successor.id, endsAt } });
  } else if (standing?.jobId === jobId && standing.endsAt === undefined) {
    queue.deduplications.put(id, {});
  }
  return successor;
}

/** Frees an id by hand. @returns whether a job stood for it. */
export function endDeduplication(queue: QueueState, id: string, now: number): boolean {
  const stood = standingFor(queue, id, now) !== undefined;
  putStanding(queue, id, undefined);
  return stood;
}

/** Forgets the ids whose time is over. */
export function forgetDue(queue: QueueState, now: number): void {
  const { deduplications } = queue;
  for (const id of inOneStep(() => deduplications.due(now))) putStanding(queue, id, undefined);
}

/** Has another job stand for the id, or none. The successor that is kept for the id stays. */
export function putStanding(
  { deduplications }: QueueState,
  id: string,
  standing: Standing | undefined,
): void {
  deduplications.put(id, { ...deduplications.find(id), standing });
}
