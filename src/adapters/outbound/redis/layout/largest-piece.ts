/**
 * The most bytes that one command reads: the store does nothing else in the meantime. A longer job or log line is read
 * by a command of its own.
 */
export const LARGEST_PIECE = 262_144;

/** Values of jobs, in bytes, after which a run ends that frees them: that takes the store time too. */
export const MOST_FREED = 4_194_304;

/** The most values of one command: Lua has no room for many thousand arguments. */
export const AT_ONCE = 1000;

/** In the place of a job in a list until it is taken out. No job can have this id: it has one colon. */
export const TAKEN_OUT = 'jobgate:gone';

/** The most jobs that one command reads. */
export const MOST_JOBS = 100;
