import { bounded, optional, required, string } from '../../../../../domain/values/shape.ts';

/** The most characters of a name or an id; the route that gets it has the rules of its own. */
const LONGEST_NAME = 4096;

/** A name or an id that a tool takes: of a queue, a job, a scheduler or the preview of a repair. */
export const nameArgument = bounded(LONGEST_NAME, string);

export const queueArgument = required(nameArgument, 'The queue');

export const optionalQueueArgument = optional(nameArgument, 'The queue; all when absent');
