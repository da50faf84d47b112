import { any, integer, isOne, list, maybe, tuple } from './answer-check.ts';
import { flag, number, text, scriptsOf, type Kinds } from './script.ts';

const { ofQueue, ofQueues, script } = scriptsOf('adds');

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

/** The answer of a script to jobs that lack room, with the numbers of queues and the positions of jobs. */
export type LackingRoomAnswer = readonly [
  'full',
  excess: readonly (readonly [queue: number, jobs: number])[],
  full: readonly (readonly [position: number, waiting: number])[],
];

/**
 * What a script answers that adds jobs. Positions are those of the jobs; of a flow with a job that exists, that among the
 * jobs with given ids.
 */
export type AddOutcome =
  | LackingRoomAnswer
  | readonly ['exists', position: number]
  | readonly ['each' | 'lost']
  | readonly ['added', first: string, existing: readonly Existing[], bytes?: readonly number[]]
  | Recalled;

const ADD = {
  prefix: text,
  deadline: text,
  remembered: text,
  home: text,
  isDry: flag,
  timestamp: text,
};
export const addFlow = script(
  'add-flow',
  ['registry', 'expiringQueues'],
  { ...ADD, terms: text, isPlain: flag },
  tuple<AddOutcome>,
);
export const addStaged = script(
  'add-staged',
  ['registry', 'expiringQueues', 'stagedAdds'],
  { ...ADD, stagedName: text, terms: text, contents: text },
  tuple<AddOutcome>,
);
export const claimAdd = script('claim-add', ['record'], { body: text }, maybe(tuple<Recalled>));
export const recallAdd = script('recall-add', ['record'], { body: text }, maybe(tuple<Recalled>));

type Begun = readonly [name: string, first: string];
const STAGING = { prefix: text, random: text, queue: text, count: number };
export const beginStaging = script('begin-staging', ['stagedAdds'], STAGING, tuple<Begun>);
export const stageJobs = script('stage-jobs', ['stagedAdds', 'list'], { name: text }, isOne);

const DISCARDED = { prefix: text, name: text, most: number };
export const discardSome = script('discard-staged', ['stagedAdds'], DISCARDED, isOne);
export const latestDelayed = script('latest-delayed', ['delayed'], {}, list<string | null>);
export const measureJobs = ofQueue('measure-jobs', {}, integer);
export const createQueue = ofQueue('create-queue');
export const removeSchedulers = ofQueue('remove-schedulers', { most: number }, integer);

/** A script that may plan a job. */
export type PlanningScript<Args extends Kinds> = ReturnType<typeof planningScript<Args>>;

const PLAN = { id: text, slot: text, timestamp: text, delay: text, options: text };
function planningScript<Args extends Kinds>(name: string, args: Args) {
  return ofQueue(name, { ...PLAN, ...args }, any);
}
export const planNextJob = planningScript('plan-next-job', { startingId: text });
export const skipSlot = planningScript('skip-slot', { jobId: text });
export const storeScheduler = planningScript('store-scheduler', { most: number });
export const resumeScheduler = planningScript('resume-scheduler', { pause: text });
export const pauseScheduler = ofQueue(
  'pause-scheduler',
  { id: text, expected: text, following: text, stop: text },
  any,
);
export const removeScheduler = ofQueue('remove-scheduler', { id: text }, isOne);
export const noteRunByHand = ofQueue('note-run-by-hand', { id: text, run: text });
export const registerQueues = ofQueues('register-queues');
