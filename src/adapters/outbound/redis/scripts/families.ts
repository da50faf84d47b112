import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { Values } from './reading.ts';
import { integer, isOne, list, maybe, tuple } from './answer-check.ts';
import { number, ofQueue, ofQueues, script } from './script.ts';

const CHILDREN = ['completed', 'passedOver', 'failed', 'awaited'] as const;
export const listChildren = script('families/list-children', CHILDREN, {}, list<readonly string[]>);

export type WholeChild = readonly [
  name: string | null,
  state: JobState | null,
  returned: string | null,
];
/** A child; for a large one, its state and its size. */
type ReadChild = WholeChild | readonly [state: JobState | null, size: number];
export const readChildren = script('families/read-children', ['returned'], {}, list<ReadChild>);
/** What the script that reads nodes answers for a job: the state and the values only if the job exists. */
export type NodeAnswer = readonly [
  returned: string | 1 | null,
  state: JobState | null,
  values: Values | null,
  children: number,
];
const NODES = { longest: number, count: number };
export const readNodes = script('families/read-nodes', ['returned'], NODES, list<NodeAnswer>);
export const findActive = script('families/find-active', ['slot'], {}, isOne);

type Awaited = readonly [key: string, isFailed: number];
export const findAwaitedJob = script(
  'families/find-awaited-job',
  ['job'],
  { most: number },
  maybe(tuple<Awaited>),
);
export const findFailedChildren = ofQueues(
  'families/find-failed-children',
  { most: number, room: number },
  list<string>,
);
export const countStuckParents = ofQueue(
  'families/count-stuck-parents',
  { parents: number, room: number },
  integer,
);
