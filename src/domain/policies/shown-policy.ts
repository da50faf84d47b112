import type { Caller } from '../access/caller.ts';
import { callbackShownTo } from '../access/shown-urls.ts';
import { entitled, type Visible } from '../access/visible.ts';
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

/** A policy as a caller may see it: the URLs of its callbacks often are secrets. @param policy without other secrets. */
export function policyShownTo(caller: Caller, policy: Policy): Visible<Policy> {
  const { defaults } = policy;
  const seen = callbackShownTo(caller, policy);
  return entitled(
    defaults === undefined ? seen : { ...seen, defaults: callbackShownTo(caller, defaults) },
  );
}
