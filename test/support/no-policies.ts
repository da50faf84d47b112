import type { PoliciesInForce } from '../../src/application/policies/policies.ts';

/** Policies that say nothing of any queue. */
export const noPolicies: PoliciesInForce = {
  areKnown: true,
  known: () => Promise.resolve(),
  of: () => undefined,
  windowOf: () => undefined,
  takesDeadLetters: () => false,
  startJobs: (request) => request(),
};
