import { boolean, object, optional, type Shaped } from '../values/shape.ts';

/** Which jobs to remove from a queue besides the waiting ones. */
export const drainOptionsShape = object('DrainOptions', {
  delayed: optional(boolean, 'Whether delayed jobs are removed too; they are not unless given'),
});

export type DrainOptions = Shaped<typeof drainOptionsShape>;
