import { integer, isOne, list, maybe, tuple } from './answer-check.ts';
import { number, ofQueue, script, text } from './script.ts';

/** A job that existed before its add, by its position. */
export type Existing = readonly [position: number, id: string, isDeduplicated: 0 | 1];

/** The answer of a script when the key of an add is known. */
export type Recalled =
  | readonly ['other' | 'running']
  | readonly [
      'repeated',
      timestamp: string,
      first: string,
      existing: readonly Existing[],
      defaults?: string,
    ];

/**
 * What a script answers that adds jobs of any queues. Positions are those of the jobs; of a staged flow with a job that
 * exists, that among the jobs with given ids.
 */
export type FlowAnswer =
  | readonly ['full', most: number]
  | readonly ['group', position: number, waiting: number]
  | readonly ['exists', position: number]
  | readonly ['each']
  | readonly ['added', existing: readonly Existing[]]
  | Recalled;

const ADD = { prefix: text, deadline: text, remembered: text };
export const addFlow = script(
  'adds/add-flow',
  ['registry', 'expiringQueues'],
  { ...ADD, now: text, queueCount: number },
  tuple<FlowAnswer>,
);
export const addStaged = script(
  'adds/add-staged',
  ['registry', 'expiringQueues', 'stagedAdds'],
  { ...ADD, timestamp: text, stagedName: text, terms: text, contents: text },
  tuple<FlowAnswer>,
);

export const claimAdd = script(
  'adds/claim-add',
  ['record'],
  { body: text },
  maybe(tuple<Recalled>),
);
export const recallAdd = script(
  'adds/recall-add',
  ['record'],
  { body: text },
  maybe(tuple<Recalled>),
);

type Begun = readonly [name: string, first: string];
const STAGING = { prefix: text, random: text, queue: text, count: number };
export const beginStaging = script('adds/begin-staging', ['stagedAdds'], STAGING, tuple<Begun>);
export const stageJobs = script('adds/stage-jobs', ['stagedAdds', 'list'], { name: text }, isOne);

const DISCARDED = { prefix: text, name: text, most: number };
export const discardSome = script('adds/discard-staged', ['stagedAdds'], DISCARDED, isOne);
export const latestDelayed = script('adds/latest-delayed', ['delayed'], {}, list<string | null>);
export const measureJobs = ofQueue('adds/measure-jobs', {}, integer);
export const noteMessages = ofQueue('events/note-messages', {
  hook: text,
  now: text,
  hooks: text,
  behind: text,
});
export const createQueue = ofQueue('adds/create-queue');
