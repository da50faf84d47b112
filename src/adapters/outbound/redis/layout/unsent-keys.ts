/* After the prefix of the queue of a hook. */

/** The messages that wait or are being sent, in the order in which they were added. */
export const UNSENT = 'jobgate:unsent';

/** Once too many messages waited, until few enough do. */
export const IS_FULL = 'jobgate:full';
