import { CALLBACK_QUEUE } from '../../../../domain/queues/own-queue.ts';

/* After the prefix of all keys and a colon: they are keys of the queue of calls, and go with it. */

/** How many calls that follow jobs of each queue wait, those being made included. */
export const CALLS_UNSENT = `${CALLBACK_QUEUE}:jobgate:unsent`;

/** The queues with calls that are held back. */
export const HELD_BACK = `${CALLBACK_QUEUE}:jobgate:held`;
