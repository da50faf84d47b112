import { boolean, object, optional, type Shaped } from '../values/shape.ts';

/** Which jobs of a queue are removed beside those that wait. */
export const drainOptionsShape = object('DrainOptions', {
  delayed: optional(boolean, 'Whether delayed jobs are removed too; they are not unless given'),
});

export type DrainOptions = Shaped<typeof drainOptionsShape>;
