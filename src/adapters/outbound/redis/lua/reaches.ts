/** How far from either end of a list of waiting jobs a script looks for one of them: less than a millisecond's work. */
export const REACH = 10_000;

/**
 * Jobs of a list that one step looks at to move some of them to its head: it takes about a millisecond, and as long
 * again to walk to what it found.
 */
export const JOBS_PER_STEP = 4000;
