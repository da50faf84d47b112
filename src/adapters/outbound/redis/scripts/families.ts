import type { EndedState, JobState } from '../../../../domain/jobs/job-status.ts';
import type { Values } from './reading.ts';
import { integer, isOne, list, maybe, tuple, word } from './answer-check.ts';
import { flag, number, text, scriptsOf } from './script.ts';

const { guarded, ofQueue, ofQueues, script } = scriptsOf('families');

export const parkJob = guarded('park-job', { now: text, isFirst: flag });
export const removeActiveJob = guarded('remove-active-job', { now: text });
export const removeJob = guarded('remove-job', { withChildren: flag, now: text });
export const beginRemoval = ofQueue(
  'begin-removal',
  { isForced: flag },
  word<'begun' | 'missing' | 'active'>,
);
export const removeKeys = ofQueue('remove-keys', { deduplication: text });
export const endRemoval = ofQueue('end-removal');

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

const CHILDREN = ['completed', 'passedOver', 'failed', 'awaited'] as const;
export const listChildren = script('list-children', CHILDREN, {}, list<readonly string[]>);

export type WholeChild = readonly [
  name: string | null,
  state: JobState | null,
  returned: string | null,
];
/** A child; for a large one, its state and its size. */
type ReadChild = WholeChild | readonly [state: JobState | null, size: number];
export const readChildren = script('read-children', ['returned'], {}, list<ReadChild>);

/** What the script that reads nodes answers for a job: the state and the values only if the job exists. */
export type NodeAnswer = readonly [
  returned: string | 1 | null,
  state: JobState | null,
  values: Values | null,
  children: number,
];

const NODES = { longest: number, count: number };
export const readNodes = script('read-nodes', ['returned'], NODES, list<NodeAnswer>);
export const findActive = script('find-active', ['slot'], {}, isOne);

type Awaited = readonly [key: string, isFailed: number];
export const findAwaitedJob = script(
  'find-awaited-job',
  ['job'],
  { most: number },
  maybe(tuple<Awaited>),
);
export const findFailedChildren = ofQueues(
  'find-failed-children',
  { most: number, room: number },
  list<string>,
);
export const countStuckParents = ofQueue(
  'count-stuck-parents',
  { parents: number, room: number },
  integer,
);
