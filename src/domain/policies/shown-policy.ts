import type { Caller } from '../access/caller.ts';
import { optionsShownTo } from '../access/shown-urls.ts';
import { entitled, type Visible } from '../access/visible.ts';
import { shownCalled } from '../jobs/shown-options.ts';
import { shownCallbackPolicy } from './callback-policy.ts';
import type { Policy } from './policy.ts';

/** A policy as it may be shown: without secrets, and without the values of headers. */
export function shownPolicy(policy: Policy): Policy {
  const { callbacks, callback, defaults } = policy;
  const ofDefaults = defaults?.callback;
  return {
    ...policy,
    ...(callbacks && { callbacks: shownCallbackPolicy(callbacks) }),
    ...(callback && { callback: shownCalled(callback) }),
    ...(defaults && ofDefaults && { defaults: { ...defaults, callback: shownCalled(ofDefaults) } }),
  };
}

/** A policy as a caller may see it: the URLs of its callbacks often are secrets. @param policy without other secrets. */
export function policyShownTo(caller: Caller, policy: Policy): Visible<Policy> {
  const { defaults } = policy;
  const seen = optionsShownTo(caller, policy);
  return entitled(
    defaults === undefined ? seen : { ...seen, defaults: optionsShownTo(caller, defaults) },
  );
}
