import { JobgateError, type Worker } from 'jobgate-client';
import type { Command } from '../command.ts';
import { Failed } from '../failed.ts';
import type { Invocation } from '../invocation.ts';
import { withHeaderValues } from '../settings/setting.ts';
import type { Fields } from '../settings/fields.ts';

interface Policy {
  readonly defaults?: Fields;
  readonly retention?: Fields;
}

/** What docs/production.md recommends for jobs of every queue. */
const RECOMMENDED = {
  defaults: { attempts: 3, backoff: { type: 'exponential', delay: 1000, jitter: 0.5 } },
  retention: {
    completed: { age: 86_400, count: 1000 },
    failed: { age: 604_800, count: 10_000 },
  },
} as const;

/** What it recommends for every worker. */
const RECOMMENDED_BREAKER = { failures: 5 } as const;

export const recommendedPolicyCommand: Command = {
  name: 'policy recommended',
  takes: '[queue]',
  count: [0, 1],
  summary: 'show what production needs and a policy leaves open; with --yes, store it',
  details:
    'Three attempts with a jittered backoff and a retention for the policy, and a breaker for the worker of the queue, if there is one. What is set, in the policy of all queues too, stays as it is.',
  examples: ['policy recommended mail', 'policy recommended mail --yes'],
  options: { yes: { meaning: 'store it' } },
  run: async (call) => {
    const { queue } = call;
    const at = queue === '' ? '/policy' : `/queues/${encodeURIComponent(queue)}/policy`;
    const own = (await found<Policy>(call, at, [404])) ?? {};
    const ofAll = queue === '' ? {} : ((await found<Policy>(call, '/policy', [403, 404])) ?? {});
    const added = openIn({ ...ofAll, ...own, defaults: { ...ofAll.defaults, ...own.defaults } });
    const worker = queue === '' ? undefined : await found<Worker>(call, workerPath(queue), [404]);
    const lacksBreaker = worker !== undefined && worker.opts?.breaker === undefined;
    const opts = lacksBreaker ? { breaker: RECOMMENDED_BREAKER } : undefined;
    const lacking = {
      ...(Object.keys(added).length > 0 && { policy: added }),
      ...(opts && { worker: { opts } }),
    };
    const isStored = call.has('yes');
    if (isStored && lacking.policy !== undefined) await store(call, at, own, added);
    if (isStored && opts) await call.jobgate.workers.change(queue, { opts });
    call.answer({ ...lacking, stored: isStored }, () => {
      const scope = queue === '' ? 'all queues' : queue;
      if (Object.keys(lacking).length === 0) return `Nothing is open for ${scope}`;
      const text = JSON.stringify(lacking, undefined, 2);
      return isStored ? `${text}\nStored for ${scope}` : `${text}\nAdd --yes to store it`;
    });
  },
};

/** The recommended fields that a policy in force leaves open. */
function openIn({ defaults, retention }: Policy): Policy {
  const open = Object.entries(RECOMMENDED.defaults).filter(
    ([name]) => defaults?.[name] === undefined,
  );
  return {
    ...(open.length > 0 && { defaults: Object.fromEntries(open) }),
    ...(retention === undefined && { retention: RECOMMENDED.retention }),
  };
}

async function store(call: Invocation, path: string, own: Policy, added: Policy): Promise<void> {
  withHeaderValues('policy', { ...own }, (_, field) => {
    throw new Failed(`The policy has ${field}, whose value cannot be read: add these fields to it`);
  });
  const defaults = { ...own.defaults, ...added.defaults };
  await call.request('PUT', path, { body: { ...own, ...added, defaults } });
}

/** What the service answers; undefined for an answer of these statuses. */
async function found<Answer>(
  call: Invocation,
  path: string,
  without: readonly number[],
): Promise<Answer | undefined> {
  try {
    return await call.request<Answer>('GET', path);
  } catch (error) {
    if (error instanceof JobgateError && without.includes(error.status)) return undefined;
    throw error;
  }
}

function workerPath(queue: string): string {
  return `/workers/${encodeURIComponent(queue)}`;
}
