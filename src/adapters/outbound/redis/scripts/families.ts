import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { integer, isOne, list, maybe, tuple } from './answer-check.ts';
import { number, ofQueue, ofQueues, script } from './script.ts';

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
/** What the script that reads nodes answers for a job: the last four items only if the job exists. */
export type NodeAnswer = readonly [
  returned: string | 1 | null,
  state?: JobState,
  children?: number,
  fields?: readonly string[],
  long?: readonly string[],
];

export const readNodes = script('read-nodes', ['returned'], {}, list<NodeAnswer>);
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
