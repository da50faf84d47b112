import { unknownCursor } from '../../../../domain/jobs/unknown-cursor.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { GROUP_WAITING } from '../layout/group-keys.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { KnownJob, Row } from '../scripts/reading.ts';

/** Where jobs of a state are. */
export interface ScanPlace {
  readonly state: JobState;
  readonly kind: 'list' | 'set' | 'groups';
  readonly key: string;
}

/** The jobs that come next at a place. */
export interface NextJobs {
  readonly ids: readonly string[];
  /** What was read of each; absent if no field was requested and no hash was read. */
  readonly rows?: readonly Row[];
  /** Whether more jobs may follow. */
  readonly goesOn: boolean;
  /** The position after the first `count` jobs. */
  positionAfter(count: number): readonly unknown[];
}

/**
 * The places of the states, in their order. Waiting jobs are in three places: an older BullMQ moved them to pause a
 * queue, and jobs of groups wait in a set of their own.
 */
export function scanPlaces(keys: QueueKeys, states: readonly JobState[]): readonly ScanPlace[] {
  const list = (state: JobState, key: string): ScanPlace => ({ state, kind: 'list', key });
  const set = (state: JobState, key: string): ScanPlace => ({ state, kind: 'set', key });
  const places: Readonly<Record<JobState, readonly ScanPlace[]>> = {
    active: [list('active', keys.active)],
    waiting: [
      list('waiting', keys.wait),
      list('waiting', keys.paused),
      { state: 'waiting', kind: 'groups', key: keys.jobPrefix + GROUP_WAITING },
    ],
    prioritized: [set('prioritized', keys.prioritized)],
    delayed: [set('delayed', keys.delayed)],
    completed: [set('completed', keys.completed)],
    failed: [set('failed', keys.failed)],
    'waiting-children': [set('waiting-children', keys.waitingChildren)],
  };
  return states.flatMap((state) => places[state]);
}

/** A position after a job of a sorted set. */
export interface SetPosition {
  readonly score: string;
  readonly id: string;
}

/** @throws DomainError `invalid-request` when a cursor holds something else. */
export function groupPosition([member]: readonly unknown[]): string | undefined {
  if (member === undefined || typeof member === 'string') return member;
  throw unknownCursor();
}

/** The digits of the order, which stands after a zero byte between a group and the id of its waiting job. */
const LENGTH_OF_ORDER = 20;

/** The id of a job from its member in the set of the waiting jobs of groups. */
export function idInGroup(member: string): string {
  return member.slice(member.indexOf('\0') + 1 + LENGTH_OF_ORDER);
}

/** A position between jobs of a list, and its index from the head when it was read. */
export interface ListPosition {
  readonly index: number;
  readonly seen: readonly KnownJob[];
  readonly unseen: readonly KnownJob[];
}

/** A score as the store writes those of jobs. Its scripts accept less than `Number` does: a blank is not a number. */
const SCORE = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;

/** @throws DomainError `invalid-request` when a cursor holds something else. */
export function setPosition([score, id]: readonly unknown[]): SetPosition | undefined {
  if (score === undefined) return undefined;
  if (typeof score !== 'string' || !SCORE.test(score) || typeof id !== 'string') {
    throw unknownCursor();
  }
  return { score, id };
}

/** @throws DomainError `invalid-request` when a cursor holds something else. */
export function listPosition([index, seen, unseen]: readonly unknown[]): ListPosition | undefined {
  if (index === undefined) return undefined;
  if (!Number.isSafeInteger(index) || !areKnownJobs(seen) || !areKnownJobs(unseen)) {
    throw unknownCursor();
  }
  return { index: Math.max(0, index as number), seen, unseen };
}

/** A forged cursor must not keep the store busy for long. */
const MOST_KNOWN = 100;

function areKnownJobs(value: unknown): value is readonly KnownJob[] {
  const isKnown = (job: unknown): boolean =>
    Array.isArray(job) && job.length === 2 && job.every((part) => typeof part === 'string');
  return Array.isArray(value) && value.length <= MOST_KNOWN && value.every(isKnown);
}
