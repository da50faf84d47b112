import type { CalledOptions } from '../../src/application/destinations/called-options.ts';

/** For use cases whose jobs name nothing that is called. */
export const noCalledOptions: Pick<CalledOptions, 'prepared'> = {
  prepared: (_queue, opts) => opts,
};
