import { integer } from '../values/shape.ts';
import { STEPS } from './figure-steps.ts';

/** How far back (ms) failures of all queues are reported. */
export const failuresAge = integer(1, 24 * STEPS.hour);

/** Maximum number of causes in such a report. */
export const causesLength = integer(0, 1000);
