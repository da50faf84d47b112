import type { Script, Step } from './script.ts';

/*
 * Short beginnings of scripts that lead to a state which random steps rarely reach. Numbers of jobs and attempts count
 * from the latest back.
 */

const FIRST = { queue: 0, replica: 0 };
/** The queue whose groups are ordered and block. */
const ORDERED = { queue: 1, replica: 0 };
const LATEST = { attempt: 0, replica: 0 };

const CLAIM = {
  isPulled: false,
  isReceived: false,
  concurrency: undefined,
  isLimited: false,
  hasBreaker: false,
  hasShortLock: false,
};
const ENDING = {
  keep: undefined,
  hasVerdict: false,
  hasCall: true,
  half: undefined,
  isDeadLetter: false,
};

const add = (jobs: readonly object[], place: object = FIRST): Step => ({
  do: 'add',
  with: { ...place, jobs, maxWaiting: undefined },
});
const claim = (terms: object = {}, place: object = FIRST): Step => ({
  do: 'claim',
  with: { ...place, ...CLAIM, ...terms },
});
const settle = (kind: string, ending: object = {}, next?: object): Step => ({
  do: 'settle',
  with: {
    ...LATEST,
    ending: { ...ENDING, kind, ...ending },
    next: next && { ...CLAIM, ...next },
  },
});
const pass = (periods: number): Step => ({ do: 'pass', with: { periods } });
const recover = (place: object = FIRST): Step => ({ do: 'recoverStalled', with: place });
const child = (rule: string, opts: object = {}, queue = 0, grandchildren = 0): object => ({
  queue,
  rule,
  opts,
  grandchildren,
});
const flow = (children: readonly object[], opts: object = {}): Step => ({
  do: 'addFlow',
  with: { ...FIRST, opts, children, maxWaiting: undefined },
});
const schedule = (repeat: object, more: object = {}): Step => ({
  do: 'saveScheduler',
  with: {
    ...FIRST,
    id: 'report',
    repeat,
    options: {},
    data: 1,
    overlap: 'allow',
    paused: false,
    ...more,
  },
});
const inGroup = (id: string, more: object = {}): object => ({ group: { id, cost: 1 }, ...more });
const same = (more: object = {}): object => ({ deduplication: { id: 'same', ...more } });

const EVERY = { every: 75_000 };
const STALL = [claim({ hasShortLock: true }), pass(1), recover()];

/** Each by the state that it leads to. Random steps may follow. */
export const SCENES: Readonly<Record<string, Script>> = {
  'a job that stalled too often': [add([{}]), ...STALL, ...STALL],
  "a scheduler's job that stalled too often": [schedule(EVERY), pass(1), ...STALL, ...STALL],
  'a slot that is skipped': [
    schedule(EVERY, { overlap: 'skip' }),
    pass(1),
    claim(),
    pass(1),
    claim(),
  ],
  'a paused scheduler that was resumed': [
    schedule(EVERY),
    { do: 'pauseScheduler', with: { ...FIRST, id: 'report' } },
    pass(2),
    { do: 'resumeScheduler', with: { ...FIRST, id: 'report' } },
  ],
  'a family of which one child failed': [
    flow([child('wait'), child('wait')]),
    claim(),
    settle('failed'),
  ],
  'a parent that its child failed': [
    flow([child('fail', {}, 1)], { priority: 2 }),
    claim({}, ORDERED),
    settle('failed'),
  ],
  'a parent that goes on without its child': [
    flow([child('continue'), child('ignore')]),
    claim(),
    settle('failed'),
    claim(),
    settle('failed'),
  ],
  'a family of three generations in two queues': [
    flow([child('wait', {}, 1, 2), child('wait')]),
    claim({}, ORDERED),
  ],
  'a delayed parent whose children completed': [
    flow([child('wait')], { delay: 30_000 }),
    claim(),
    settle('completed'),
  ],
  'an accepted job': [add([{}]), claim(), { do: 'accept', with: { ...LATEST, duration: 30_000 } }],
  'an accepted job that is overdue': [
    add([{}]),
    claim(),
    { do: 'accept', with: { ...LATEST, duration: 30_000 } },
    pass(1),
    { do: 'overdue', with: { replica: 0 } },
  ],
  'a received message that is visible again': [
    add([{}, {}]),
    claim({ isPulled: true, isReceived: true, hasShortLock: true }),
    pass(1),
    { do: 'overdue', with: { replica: 0 } },
    { do: 'defer', with: { ...LATEST, scope: 'job', wait: 0, place: 'ahead' } },
    claim({ isPulled: true, isReceived: true }),
  ],
  'a message that was given up': [
    add([{ ...inGroup('a'), jobId: 'letter' }, inGroup('a')]),
    claim({ isPulled: true, isReceived: true, hasShortLock: true }),
    pass(1),
    { do: 'overdue', with: { replica: 0 } },
    settle('failed', { isDeadLetter: true }),
    claim({}, ORDERED),
  ],
  'a deduplicated successor': [
    add([same({ keepLastIfActive: true })]),
    claim(),
    add([same({ keepLastIfActive: true })]),
  ],
  'a replaced delayed job': [
    add([{ ...same({ replace: true }), delay: 90_000 }]),
    add([{ ...same({ replace: true }), delay: 30_000 }]),
  ],
  'an extended deduplication': [add([same({ ttl: 90_000, extend: true })]), pass(1), add([same()])],
  'an open breaker': [
    add([{}, {}, {}]),
    claim({ hasBreaker: true }),
    settle('failed', { hasVerdict: true }, { hasBreaker: true }),
    settle('failed', { hasVerdict: true }),
  ],
  'a probe after an open breaker': [
    add([{}, {}, {}]),
    claim({ hasBreaker: true }),
    settle('failed', { hasVerdict: true }, { hasBreaker: true }),
    settle('failed', { hasVerdict: true }),
    pass(2),
    claim({ hasBreaker: true }),
  ],
  'a held queue': [
    add([{}, {}]),
    claim(),
    { do: 'defer', with: { ...LATEST, scope: 'queue', wait: 90_000 } },
  ],
  'a queue at its limiter': [
    add([{}, {}, {}]),
    claim({ isLimited: true }),
    claim({ isLimited: true }),
    claim({ isLimited: true }),
  ],
  'jobs whose time to start is over': [
    add([{ ttl: 30_000 }, { ttl: 30_000, priority: 2 }, { ttl: 30_000, delay: 30_000 }]),
    pass(1),
  ],
  'a failed call of several jobs in halves': [
    add([{}, {}, {}, {}]),
    { do: 'claimBatch', with: { ...FIRST, ...CLAIM, size: 4, by: 'queue' } },
    settle('retry', { half: 'left' }),
    {
      ...settle('retry', { half: 'right' }),
      with: { ...settle('retry', { half: 'right' }).with, attempt: 1 },
    },
  ],
  'a report that is repeated': [
    add([{}]),
    claim({ isPulled: true }),
    { do: 'report', with: { ...LATEST, ending: { ...ENDING, kind: 'completed' } } },
    { do: 'reportAgain', with: LATEST },
  ],
  'a job that was retried by hand': [
    add([{ priority: 2 }]),
    claim(),
    settle('failed'),
    { do: 'retryJob', with: { job: 0, replica: 0, retry: {} } },
  ],
  'ended jobs that are kept by age and count': [
    add([{ removeOnComplete: 1 }, { removeOnComplete: 1 }, {}]),
    claim(),
    settle('completed', {}, {}),
    settle('completed', { keep: { age: 90 } }, {}),
    pass(2),
    settle('completed', { keep: { count: 1 } }),
  ],
  'a group at its limit of concurrency': [
    add([inGroup('a'), inGroup('a'), inGroup('a')]),
    claim(),
    claim(),
    claim(),
  ],
  'a group at its limiter': [
    {
      do: 'saveSettings',
      with: { ...FIRST, group: 'a', settings: { limiter: { max: 1, duration: 90_000 } } },
    },
    add([inGroup('a'), inGroup('a'), inGroup('b')]),
    claim(),
    claim(),
  ],
  'a group blocked by its failed job': [
    add([inGroup('a'), inGroup('a')], ORDERED),
    claim({}, ORDERED),
    settle('failed'),
    claim({}, ORDERED),
  ],
  'an ordered group whose job is retried': [
    add([inGroup('a'), inGroup('a')], ORDERED),
    claim({}, ORDERED),
    settle('retryLater'),
    claim({}, ORDERED),
  ],
  'a held group': [
    add([inGroup('a'), inGroup('b')]),
    claim(),
    { do: 'defer', with: { ...LATEST, scope: 'group', wait: 90_000 } },
  ],
  'groups with priorities and delays': [
    add([
      inGroup('a', { priority: 7 }),
      inGroup('a', { lifo: true }),
      inGroup('a', { delay: 30_000 }),
    ]),
    pass(1),
  ],
};
