/*
 * The steps of jobs, what suspended jobs await, and signals (docs/steps.md). Native clients see a suspended job as a
 * delayed one, or as a parent that waits for children.
 */

/** The field of a suspended job's hash with what it awaits, as JSON: `since` of SIGNAL_WAITS, and domain `waits`. */
export const SUSPENSION = 'jobgate:suspension';

/** The field of how often a job was suspended since it was added or last retried by hand. */
export const SUSPENSIONS = 'jobgate:suspensions';

/**
 * The field of a job with steps, separated by colons: the number of the last one, how many there are, their bytes, the
 * token of the attempt that saved last, and the names that it saved, separated by commas.
 */
export const STEPS = 'jobgate:steps';

/**
 * After the key of a job: its steps by their names. Each is its number, the letter of its kind, when it was saved, and its
 * value, separated by colons. No job has such a key: ids have two colons or none.
 */
export const STEP_VALUES = ':steps';

/** A claim answers steps whose bytes are not more, each counting so many more: others are read apart. */
export const [FEW_STEPS, STEP_READ] = [16_384, 64] as const;

/** The letters of the kinds of steps. */
export const [STEP_OF_VALUE, STEP_OF_SLEEP, STEP_OF_SIGNAL, STEP_OF_JOBS] = [
  'v',
  't',
  's',
  'j',
] as const;

/** After a queue's prefix: the ids of the suspended jobs. */
export const SUSPENDED = 'jobgate:suspended';

/** After a queue's prefix: the keys of the signals that jobs wait for or that are kept, all with score 0. */
export const SIGNALS = 'jobgate:signals';

/**
 * After a queue's prefix: the jobs that wait for signals, all with score 0. Each member is the key of a signal, since when
 * in µs of the store, and the id, separated by spaces: so those of a key come in the order of their waits.
 */
export const SIGNAL_WAITS = 'jobgate:signal-waits';

/** After a queue's prefix: the kept signals, by when (epoch ms) their time is over, and the bodies of these. */
export const [SIGNALS_KEPT, SIGNAL_BODIES] = [
  'jobgate:signals-kept',
  'jobgate:signal-bodies',
] as const;
