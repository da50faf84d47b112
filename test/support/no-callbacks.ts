import type { Callbacks } from '../../src/application/callbacks/callbacks.ts';

/** Callbacks for use cases whose jobs have none. */
export const noCallbacks: Pick<Callbacks, 'prepared'> = { prepared: (_queue, opts) => opts };
