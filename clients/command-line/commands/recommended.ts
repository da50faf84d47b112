import type { Worker } from 'jobgate-client';
import { recommendedFor, withFields } from '../../rules/recommended-settings.ts';
import type { Declaration } from '../command.ts';
import { Failed } from '../failed.ts';
import type { Invocation } from '../invocation.ts';
import { withHeaderValues } from '../settings/setting.ts';
import type { Fields } from '../settings/fields.ts';

export const recommendedPolicyCommand: Declaration = {
  usage: 'policy recommended [queue]',
  summary: 'show what production needs and a policy leaves open; with --yes, store it',
  details:
    'Three attempts with a jittered backoff and a retention for the policy, and a breaker for the worker of the queue, if there is one. What is set, in the policy of all queues too, stays as it is.',
  examples: ['policy recommended mail', 'policy recommended mail --yes'],
  options: { yes: 'store it' },
  run: async (call) => {
    const { queue } = call;
    const at = queue === '' ? '/policy' : '/queues/<queue>/policy';
    const policy = (await call.found<Fields>(at, [404])) ?? {};
    const ofQueue = queue !== '' && {
      policyOfAll: await call.found<Fields>('/policy', [403, 404]),
      worker: await call.found<Worker>('/workers/<queue>', [404]),
    };
    const lacking = recommendedFor({ policy, ...ofQueue });
    const isStored = call.has('yes');
    if (isStored && lacking.policy) await store(call, at, policy, lacking.policy);
    if (isStored && lacking.worker) await call.jobgate.workers.change(queue, lacking.worker);
    call.answer({ ...lacking, stored: isStored }, () => {
      const scope = queue === '' ? 'all queues' : queue;
      if (Object.keys(lacking).length === 0) return `Nothing is open for ${scope}`;
      const text = JSON.stringify(lacking, undefined, 2);
      return isStored ? `${text}\nStored for ${scope}` : `${text}\nAdd --yes to store it`;
    });
  },
};

async function store(call: Invocation, path: string, own: Fields, added: object): Promise<void> {
  withHeaderValues('policy', { ...own }, (_, field) => {
    throw new Failed(`The policy has ${field}, whose value cannot be read: add these fields to it`);
  });
  await call.request('PUT', path, { body: withFields(own, added) });
}
