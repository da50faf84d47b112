/*
 * What docs/production.md recommends, for the clients of the API that show and store it: the command line and the
 * dashboard.
 */

interface Policy {
  readonly defaults?: object;
  readonly retention?: object;
}

/** The settings of a queue as the API answers them; of all queues, there is only a policy. */
export interface Settings {
  readonly policy: Policy;
  /** That of all queues, which holds where the policy of the queue is silent. */
  readonly policyOfAll?: Policy | undefined;
  readonly worker?: { readonly opts?: { readonly breaker?: unknown } | undefined } | undefined;
}

/** Fields to add; absent where nothing is open. */
export interface Recommended {
  readonly policy?: Policy;
  readonly worker?: { readonly opts: object };
}

const DEFAULTS = { attempts: 3, backoff: { type: 'exponential', delay: 1000, jitter: 0.5 } };

const RETENTION = {
  completed: { age: 86_400, count: 1000 },
  failed: { age: 604_800, count: 10_000 },
};

const BREAKER = { failures: 5 };

/** The recommended fields that settings leave open. */
export function recommendedFor({ policy, policyOfAll, worker }: Settings): Recommended {
  const set = { ...policyOfAll?.defaults, ...policy.defaults };
  const open = Object.entries(DEFAULTS).filter(([name]) => !Object.hasOwn(set, name));
  const isKept = (policy.retention ?? policyOfAll?.retention) !== undefined;
  const added = {
    ...(open.length > 0 && { defaults: Object.fromEntries(open) }),
    ...(!isKept && { retention: RETENTION }),
  };
  const lacksBreaker = worker !== undefined && worker.opts?.breaker === undefined;
  return {
    ...(Object.keys(added).length > 0 && { policy: added }),
    ...(lacksBreaker && { worker: { opts: { breaker: BREAKER } } }),
  };
}

/** A policy with fields that were open in it. */
export function withFields(policy: Policy, added: Policy): Policy {
  const defaults = { ...policy.defaults, ...added.defaults };
  return { ...policy, ...added, ...(Object.keys(defaults).length > 0 && { defaults }) };
}
