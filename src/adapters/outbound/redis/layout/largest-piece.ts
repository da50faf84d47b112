/**
 * Most bytes that one command reads: the store does nothing else meanwhile. A job or a log line that is
 * longer is read by a command of its own.
 */
export const LARGEST_PIECE = 262_144;

/** Most jobs that one command reads. */
export const MOST_JOBS = 100;
