import type { OperationsDependencies } from '../../src/application/operations/operations.ts';

/** For requests that change nothing. */
export const NO_AUDIT: OperationsDependencies['audit'] = {
  begin: () => Promise.reject(new Error('Nothing is to be recorded')),
  complete: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  refused: () => Promise.resolve(),
};
