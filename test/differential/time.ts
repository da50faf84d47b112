/** Milliseconds that pass at a time. */
export const PERIOD = 75_000;

/*
 * What lasts ends between two periods. So it makes no difference that the clock of the store goes on by itself during a
 * step.
 */

/** Over after one period. */
export const SOON = 30_000;

/** Over after two periods. */
export const LATER = 90_000;

/** All times that last are multiples of it, so that those that differ by what passes by itself are the same multiple. */
export const EXACT = 15_000;
