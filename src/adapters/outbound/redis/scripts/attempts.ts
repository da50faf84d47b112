import type { BreakerMove } from '../../../../domain/attempts/breaker.ts';
import type { LackingRoomAnswer } from './adds.ts';
import { any, integer, isOne, list, maybe, tuple, word } from './answer-check.ts';
import { flag, key, number, text, scriptsOf } from './script.ts';

const { guarded, ofQueue, script } = scriptsOf('attempts');

/** The attempt that must hold the job. */
const HOLDER = { token: text, id: text };

const ACCEPTANCE = { ...HOLDER, duration: text, now: text, queue: text };
export const accept = ofQueue('accept', ACCEPTANCE, isOne);
export const extend = ofQueue('extend', { ...ACCEPTANCE, deadline: text }, isOne);

type Overdue = readonly [id: string, token: string, bound: string, fields: readonly string[]];
export const findOverdue = ofQueue(
  'find-overdue',
  { queue: text, now: text, later: text },
  list<Overdue>,
);
export const holdsJob = ofQueue('holds-job', HOLDER, isOne);
export const readHeldJob = ofQueue('read-held-job', HOLDER, maybe(list<string>));
export const addLog = ofQueue('add-log', { ...HOLDER, logs: key, line: text, brief: text }, isOne);
export const reportProgress = ofQueue('report-progress', { ...HOLDER, progress: text }, isOne);
export const renewLocks = ofQueue('renew-locks', { duration: text }, list<number>);

type Claimed = readonly [record: readonly string[], id: string];
export const findClaimed = ofQueue('find-claimed', { token: text }, maybe(tuple<Claimed>));
export const endCall = ofQueue('end-call', { token: text });
export const readReport = script('read-report', ['report'], {}, maybe(word<string>));

const RELEASE = {
  delay: number,
  isReported: flag,
  deadline: text,
  isUncounted: flag,
  cost: number,
};
export const release = ofQueue('release', { timestamp: text, ...HOLDER, ...RELEASE }, any);

type Recovered = readonly [stalled: readonly string[], againIn: number];
const STALLED = { mostStalls: number, timestamp: text, apart: text };
export const recoverStalled = ofQueue('recover-stalled', STALLED, tuple<Recovered>);

type Expired = readonly [failed: readonly string[], position: number];
const EXPIRY = { name: text, now: text, skip: number, hooks: text };
export const expireJobs = ofQueue('expire-jobs', EXPIRY, tuple<Expired>);

const CANCELLATION = { now: text, reason: text, kept: text, isNextPlanned: flag, hooks: text };
export const cancelJob = guarded('cancel-job', CANCELLATION);

const CHANGE = {
  now: text,
  data: text,
  priority: number,
  delay: number,
  cost: number,
  expected: text,
  changed: text,
};
export const changeJob = guarded('change-job', CHANGE);
export const promoteJob = guarded('promote-job', { now: text });

const RETRY = { data: text, expected: text, changed: text, priority: text, forgetsSteps: flag };
export const retryJob = guarded('retry-job', RETRY);
export const pauseQueue = ofQueue('pause-queue', { stop: text });
export const resumeQueue = ofQueue('resume-queue', { isFirst: flag }, integer);
export const holdQueue = ofQueue('hold-queue', { duration: number, stop: text }, integer);
export const endHold = ofQueue('end-hold', {}, isOne);
export const closeBreaker = ofQueue('close-breaker');
export const noteClaim = ofQueue('note-claim', { duration: text }, isOne);

export type Suspended =
  | readonly ['suspended', move: BreakerMove | '']
  | readonly ['refused', reason: string, isFinal: number]
  | LackingRoomAnswer
  | readonly ['lost' | 'repeated'];
const SUSPENDING = {
  timestamp: text,
  ...HOLDER,
  call: text,
  verdict: text,
  cost: number,
  isReported: flag,
};
const REQUEST = {
  deadline: text,
  request: text,
  stepCount: number,
  terms: text,
  stagedName: text,
};
export const suspend = ofQueue('suspend', { ...SUSPENDING, ...REQUEST }, tuple<Suspended>);

export type Saved = readonly ['saved' | 'refused'] | readonly ['known' | 'too-much', string];
export const saveSteps = ofQueue('save-steps', { now: text, deadline: text }, list<Saved>);

type Steps = readonly [values: readonly string[], suspension: string];
export const listSteps = ofQueue('list-steps', { id: text }, maybe(tuple<Steps>));
export const removeSteps = guarded('remove-steps', { name: text, now: text });

export const clearSteps = ofQueue('clear-steps', { id: text }, integer);

type Sent =
  | readonly [woken: number, looked: number, last: string]
  | readonly ['repeated', woken: string]
  | readonly ['other']
  | readonly ['full'];
const SIGNAL = { key: text, body: text, now: text, till: text, record: text, digest: text };
const SENT = { ...SIGNAL, most: number, last: text, woken: number };
export const sendSignal = ofQueue('send-signal', SENT, tuple<Sent>);

type ListedSignals = readonly [
  total: number,
  signals: readonly (readonly [key: string, waiting: number, keptUntil: string])[],
];
const LISTED = { start: number, length: number, now: text };
export const listSignals = ofQueue('list-signals', LISTED, tuple<ListedSignals>);
export const forgetSignal = ofQueue('forget-signal', { key: text, now: text }, isOne);
