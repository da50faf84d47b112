/**
 * The most bytes that one command reads: the store does nothing else in the meantime. A longer job or log line is read
 * by a command of its own.
 */
export const LARGEST_PIECE = 262_144;

/** The most jobs that one command reads. */
export const MOST_JOBS = 100;
