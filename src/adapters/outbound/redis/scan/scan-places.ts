import { unknownCursor } from '../../../../domain/jobs/unknown-cursor.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { GROUP_WAITING } from '../layout/group-keys.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { Row } from './scanned-fields.ts';

/** Where jobs of a state are. */
export interface ScanPlace {
  readonly state: JobState;
  readonly kind: 'list' | 'set' | 'groups';
  readonly key: string;
}

/** The jobs that come next at a place. */
export interface NextJobs {
  readonly ids: readonly string[];
  /** What was read of each; absent where no field was asked for and none was looked at. */
  readonly rows?: readonly Row[];
  /** Whether there may be more behind. */
  readonly goesOn: boolean;
  /** The position behind the first `count` of them. */
  positionAfter(count: number): readonly unknown[];
}

/** The places of the states, in their order. Waiting jobs are in three: an older BullMQ moved them to
 * pause a queue, and those of groups wait in a set of their own. */
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

/** Behind a job of a sorted set. */
export interface SetPosition {
  readonly score: string;
  readonly id: string;
}

/** @throws DomainError `invalid-request` when a cursor holds something else. */
export function groupPosition([member]: readonly unknown[]): string | undefined {
  if (member === undefined || typeof member === 'string') return member;
  throw unknownCursor();
}

/** Between a group and the id of a waiting job of it, in their set: a zero byte and its order. */
const LENGTH_OF_ORDER = 20;

/** The id of a job from what the set of the waiting jobs of groups has for it. */
export function idInGroup(member: string): string {
  return member.slice(member.indexOf('\0') + 1 + LENGTH_OF_ORDER);
}

/** A job and how often it was started. */
export type KnownJob = readonly [id: string, starts: string];

/** Between jobs of a list, and where that was from its head. */
export interface ListPosition {
  readonly index: number;
  readonly seen: readonly KnownJob[];
  readonly unseen: readonly KnownJob[];
}

/** A score as the store writes those of jobs. Its scripts understand less than `Number` does: a blank is no number. */
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

/** A cursor that was tampered with must not make the store work long. */
const MOST_KNOWN = 100;

function areKnownJobs(value: unknown): value is readonly KnownJob[] {
  const isKnown = (job: unknown): boolean =>
    Array.isArray(job) && job.length === 2 && job.every((part) => typeof part === 'string');
  return Array.isArray(value) && value.length <= MOST_KNOWN && value.every(isKnown);
}
