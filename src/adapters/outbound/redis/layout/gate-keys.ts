/*
 * The gate of a queue is what a claim must check before it gets a job: the reasons to give it none, and the order in
 * which jobs went back. Every claim reads the metadata anyway, so a claim on a queue without a gate reads nothing else.
 */

/** The field of a queue's metadata that is set exactly while there is a gate. */
export const GATED = 'jobgate:gate';

/**
 * The field of a queue's metadata, and of a scheduler's record, with who paused it, as JSON. It counts while BullMQ's
 * own field says that the queue is paused: a native client that resumes the queue leaves it.
 */
export const STOP = 'jobgate:stop';

/** After a queue's prefix: the reasons to give claims no jobs. */
export const GATE = 'jobgate:gate';

/**
 * After a queue's prefix, from when a job goes back until one starts: the jobs that were active before, the latest
 * start first, and what is known of those that went back since. So each job that goes back gets its place in this
 * order.
 */
export const [GATE_STARTED, GATE_RETURNED] = [
  'jobgate:gate-started',
  'jobgate:gate-returned',
] as const;

/**
 * After a queue's prefix: the calls whose jobs were cancelled and which may still run, by their tokens, and the latest
 * time (epoch ms of the store) until which each counts towards the concurrency.
 */
export const GATE_ENDING = 'jobgate:gate-ending';

/** After a queue's prefix: the jobs of the latest calls, which all failed and are too few to open the breaker. */
export const GATE_FAILED = 'jobgate:gate-failed';

/**
 * The fields of the gate that say until when (epoch ms of the store) no job starts, since when, whether the endpoint or a
 * caller asked for it, and which caller, as JSON.
 */
export const [HELD, HELD_SINCE, HELD_BY, HELD_STOP] = [
  'heldUntil',
  'heldSince',
  'heldBy',
  'heldStop',
] as const;

/** The field of the gate that says how many jobs GATE_FAILED has. */
export const FAILED = 'failed';

/** The fields of the gate of an open breaker: until when no call starts, how long that lasts, since when, and why. */
export const [OPEN_UNTIL, OPEN_FOR, OPEN_SINCE, OPEN_REASON] = [
  'openUntil',
  'openFor',
  'openSince',
  'openReason',
] as const;

/** The fields that name the attempt that decides: its token, and its job. */
export const [PROBE, PROBE_JOB] = ['probe', 'probeJob'] as const;

/** After a queue's prefix: when the latest jobs that count for the limiter started, by the store's clock. */
export const STARTS = 'jobgate:starts';

/** After a queue's prefix, for a while: when (epoch ms of the store) a client last claimed jobs. */
export const CLAIMED = 'jobgate:claimed';

/**
 * After a queue's prefix and before the id of a call with several jobs, while it is being made: how many jobs it has.
 */
export const CALL = 'jobgate:call-';
