import { shownCallback } from '../jobs/callback.ts';
import { shownCallbackPolicy } from './callback-policy.ts';
import type { Policy } from './policy.ts';

/** A policy as it may be shown: without secrets, and without the values of headers. */
export function shownPolicy(policy: Policy): Policy {
  const { callbacks, callback, defaults } = policy;
  const ofDefaults = defaults?.callback;
  return {
    ...policy,
    ...(callbacks && { callbacks: shownCallbackPolicy(callbacks) }),
    ...(callback && { callback: shownCallback(callback) }),
    ...(defaults &&
      ofDefaults && { defaults: { ...defaults, callback: shownCallback(ofDefaults) } }),
  };
}
