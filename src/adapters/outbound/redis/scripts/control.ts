import type { EndedState } from '../../../../domain/jobs/job-status.ts';
import { any, integer, isOne, maybe, list, tuple, word } from './answer-check.ts';
import { flag, number, ofQueue, ofQueues, script, text, type Kinds } from './script.ts';

/** A script that acts on a job only in certain states. */
export type GuardedScript<Args extends Kinds> = ReturnType<typeof guardedScript<Args>>;

/** Its first arguments are those by which attempts/state-guard decides. */
function guardedScript<Args extends Kinds>(name: string, args: Args) {
  return ofQueue(name, { id: text, allowed: text, reach: number, ...args }, any);
}

export const cancelJob = guardedScript('attempts/cancel-job', {
  now: text,
  reason: text,
  kept: text,
  isNextPlanned: flag,
  hooks: text,
});
export const changeJob = guardedScript('attempts/change-job', {
  now: text,
  data: text,
  priority: number,
  delay: number,
});
export const parkJob = guardedScript('families/park-job', { now: text, isFirst: flag });
export const promoteJob = guardedScript('attempts/promote-job', {});
export const removeActiveJob = guardedScript('families/remove-active-job', { now: text });
export const removeJob = guardedScript('families/remove-job', { withChildren: flag, now: text });
export const retryJob = guardedScript('attempts/retry-job', {
  data: text,
  expected: text,
  changed: text,
  priority: text,
});

export const beginRemoval = ofQueue(
  'families/begin-removal',
  { isForced: flag },
  word<'begun' | 'missing' | 'active'>,
);
export const removeSchedulers = ofQueue('adds/remove-schedulers', { most: number }, integer);
export const removeKeys = ofQueue('families/remove-keys', { deduplication: text });
export const endRemoval = ofQueue('families/end-removal');

export const pauseQueue = ofQueue('attempts/pause-queue');
export const resumeQueue = ofQueue('attempts/resume-queue', { isFirst: flag }, integer);
export const holdQueue = ofQueue('attempts/hold-queue', { duration: number }, integer);
export const endHold = ofQueue('attempts/end-hold', {}, isOne);
export const closeBreaker = ofQueue('attempts/close-breaker');

type OpenBreaker = readonly [since: number, until: number, reason: string];
export const readBreaker = ofQueue('reading/read-breaker', {}, maybe(tuple<OpenBreaker>));

type Held = readonly [job: string, ttl: number];
export const readDeduplication = script(
  'reading/read-deduplication',
  ['holder'],
  {},
  maybe(tuple<Held>),
);

type Drained = readonly [removed: number, stayed: number, size: number, parents: number];
const PLACE = { place: text, passed: number, most: number, now: text };
export const drainPlace = ofQueue('families/drain-place', PLACE, tuple<Drained>);

type Moved = readonly [seen: number, found: readonly string[]];
export const moveToHead = script(
  'families/move-to-head',
  ['list', 'prioritized'],
  { skip: number },
  tuple<Moved>,
);

type Removed = readonly [removed: number, number: number];
export const removeEnded = ofQueues(
  'families/remove-ended',
  { now: text, most: number },
  tuple<Removed>,
);

/** What is read of a job that is to be redacted. */
export type RedactableJob = readonly [
  id: string,
  finishedOn: string,
  failedReason: string | null,
  attempts: string | null,
  opts: string | null,
];

type Redactable = readonly [
  number: number,
  state: EndedState,
  mark: string,
  jobs: readonly RedactableJob[],
];
export const findRedactable = ofQueues(
  'families/find-redactable',
  { most: number },
  maybe(tuple<Redactable>),
);
export const redactJobs = ofQueue(
  'families/redact-jobs',
  { now: text, state: text, mark: text },
  integer,
);

/** 0 stands for a missing number or time, -1 for a missing claim. */
export type StandingAnswer = readonly [
  running: number,
  concurrency: number,
  latestStart: number,
  limitedFor: number,
  nextDue: number,
  claimedAgo: number,
  openSince: number,
  openUntil: number,
  openReason: string,
  areGroupsBlocked: number,
];
export const readStandings = ofQueues('reading/read-standings', {}, list<StandingAnswer>);

type Demand = readonly [lines: string, roomForGroups: number];
export const readDemand = ofQueues(
  'reading/read-demand',
  { timestamp: number, most: number },
  tuple<Demand>,
);
export const noteClaim = ofQueue('attempts/note-claim', { duration: text }, isOne);
