import { any, isOne, list, maybe, tuple, word } from './answer-check.ts';
import { flag, key, number, ofQueue, script, text } from './script.ts';

/** The attempt that must hold the job. */
const HOLDER = { token: text, id: text };
const ACCEPTANCE = { ...HOLDER, duration: text, now: text, queue: text };

export const accept = ofQueue('attempts/accept', ACCEPTANCE, isOne);
export const extend = ofQueue('attempts/extend', { ...ACCEPTANCE, deadline: text }, isOne);

type Overdue = readonly [id: string, token: string, bound: string, fields: readonly string[]];
export const findOverdue = ofQueue(
  'attempts/find-overdue',
  { queue: text, now: text, later: text },
  list<Overdue>,
);

export const holdsJob = ofQueue('attempts/holds-job', HOLDER, isOne);
export const readHeldJob = ofQueue('attempts/read-held-job', HOLDER, maybe(list<string>));
export const addLog = ofQueue(
  'attempts/add-log',
  { ...HOLDER, logs: key, line: text, brief: text },
  isOne,
);
export const reportProgress = ofQueue(
  'attempts/report-progress',
  { ...HOLDER, progress: text },
  isOne,
);
export const renewLocks = ofQueue('attempts/renew-locks', { duration: text }, list<number>);
type Claimed = readonly [record: readonly string[], id: string];
export const findClaimed = ofQueue('attempts/find-claimed', { token: text }, maybe(tuple<Claimed>));
export const endCall = ofQueue('attempts/end-call', { token: text });
export const readReport = script('attempts/read-report', ['report'], {}, maybe(word<string>));

const RELEASE = { delay: number, isReported: flag, deadline: text, isUncounted: flag };
export const release = ofQueue('attempts/release', { timestamp: text, ...HOLDER, ...RELEASE }, any);

type Recovered = readonly [stalled: readonly string[], suspected: number];
const STALLED = { mostStalls: number, timestamp: text, apart: text };
export const recoverStalled = ofQueue('attempts/recover-stalled', STALLED, tuple<Recovered>);

type Expired = readonly [failed: readonly string[], position: number];
const EXPIRY = { name: text, now: text, skip: number, hooks: text };
export const expireJobs = ofQueue('attempts/expire-jobs', EXPIRY, tuple<Expired>);
