import type { EndedState } from '../../../../domain/jobs/job-status.ts';
import { any, integer, isOne, maybe, list, tuple, word } from './answer-check.ts';
import { flag, number, ofQueue, ofQueues, script, text, type Kinds } from './script.ts';

/** A script that acts on a job only in certain states. */
export type GuardedScript<Args extends Kinds> = ReturnType<typeof guardedScript<Args>>;

/** Its first arguments are those by which rules/state-guard decides. */
function guardedScript<Args extends Kinds>(name: string, args: Args) {
  return ofQueue(name, { id: text, allowed: text, reach: number, ...args }, any);
}

export const cancelJob = guardedScript('cancel-job', {
  now: text,
  reason: text,
  kept: text,
  isNextPlanned: flag,
  hooks: text,
});
export const changeJob = guardedScript('change-job', {
  now: text,
  data: text,
  priority: number,
  delay: number,
});
export const parkJob = guardedScript('park-job', { now: text, isFirst: flag });
export const promoteJob = guardedScript('promote-job', {});
export const removeActiveJob = guardedScript('remove-active-job', { now: text });
export const removeJob = guardedScript('remove-job', { withChildren: flag, now: text });
export const retryJob = guardedScript('retry-job', {
  data: text,
  expected: text,
  changed: text,
  priority: text,
});

export const beginRemoval = ofQueue(
  'begin-removal',
  { isForced: flag },
  word<'begun' | 'missing' | 'active'>,
);
export const removeSchedulers = ofQueue('remove-schedulers', { most: number }, integer);
export const removeKeys = ofQueue('remove-keys', { deduplication: text });
export const endRemoval = ofQueue('end-removal');

export const pauseQueue = ofQueue('pause-queue');
export const resumeQueue = ofQueue('resume-queue', { isFirst: flag }, integer);
export const holdQueue = ofQueue('hold-queue', { duration: number }, integer);
export const endHold = ofQueue('end-hold', {}, isOne);
export const closeBreaker = ofQueue('close-breaker');

type OpenBreaker = readonly [since: number, until: number, reason: string];
export const readBreaker = ofQueue('read-breaker', {}, maybe(tuple<OpenBreaker>));

type Held = readonly [job: string, ttl: number];
export const readDeduplication = script('read-deduplication', ['holder'], {}, maybe(tuple<Held>));

type Drained = readonly [removed: number, stayed: number, size: number, parents: number];
const PLACE = { place: text, passed: number, most: number, now: text };
export const drainPlace = ofQueue('drain-place', PLACE, tuple<Drained>);

type Moved = readonly [seen: number, found: readonly string[]];
export const moveToHead = script(
  'move-to-head',
  ['list', 'prioritized'],
  { skip: number },
  tuple<Moved>,
);

type Removed = readonly [removed: number, number: number];
export const removeEnded = ofQueues('remove-ended', { now: text, most: number }, tuple<Removed>);

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
  'find-redactable',
  { most: number },
  maybe(tuple<Redactable>),
);
export const redactJobs = ofQueue('redact-jobs', { now: text, state: text, mark: text }, integer);

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
export const readStandings = ofQueues('read-standings', {}, list<StandingAnswer>);

type Demand = readonly [lines: string, roomForGroups: number];
export const readDemand = ofQueues(
  'read-demand',
  { timestamp: number, most: number },
  tuple<Demand>,
);
export const noteClaim = ofQueue('note-claim', { duration: text }, isOne);
