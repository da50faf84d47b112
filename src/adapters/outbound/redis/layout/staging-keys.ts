/*
 * Adds whose jobs are staged before they become visible (docs/adr/0031). Each has a name: the queue in which it has
 * reserved numbers, the first of them, and a random text, with colons between them; a flow has neither queue nor number.
 */

/** The service's own key of that name: the staged adds, by when (epoch ms of the store) they began, 0 once discarded. */
export const STAGED = 'staged';

/**
 * The service's own key that begins so, before the name of an add: the keys that it has staged. Before the name, a hyphen
 * and the position of a job: a job whose id a client gave.
 */
export const STAGED_PREFIX = 'staged-';

/** After a queue's prefix: the ranges of numbers that are no jobs yet, each as its first number, by its last. */
export const STAGED_NUMBERS = 'jobgate:staged-numbers';

/** How long an add may take to stage its jobs, in milliseconds. After that, what it staged is discarded. */
export const STAGED_FOR = 60_000;
