import { YES, type Command } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { objectOf } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { recommendedPolicyCommand } from './recommended.ts';

function pathOf({ queue }: Invocation): string {
  return queue === '' ? '/policy' : `/queues/${encodeURIComponent(queue)}/policy`;
}

const scopeOf = ({ queue }: Invocation): string => queue || 'all queues';
const shown = (policy: unknown): string => JSON.stringify(policy, undefined, 2);

export const policyCommands: readonly Command[] = [
  {
    name: 'policy show',
    takes: '[queue]',
    count: [0, 1],
    summary: 'show the policy of a queue, or the policy of all queues',
    run: async (call) => call.answer(await call.request('GET', pathOf(call)), shown),
  },
  {
    name: 'policy set',
    takes: '[queue]',
    count: [0, 1],
    summary: 'replace the policy of a queue, or the policy of all queues',
    examples: [
      `policy set mail --body '{"defaults": {"attempts": 3}, "maxWaiting": 10000}'`,
      'policy set mail --body @policy.json',
    ],
    options: { body: { value: 'json', meaning: 'policy as in the API; JSON, @file or - (-)' } },
    run: async (call) => {
      if (!call.has('body') && call.terminal.hasPerson)
        throw new UsageError('Give --body, such as --body @policy.json');
      const body = objectOf('--body', call.text('body') ?? '-');
      call.answer(await call.request('PUT', pathOf(call), { body }), shown);
    },
  },
  recommendedPolicyCommand,
  {
    name: 'policy remove',
    takes: '[queue]',
    count: [0, 1],
    summary: 'remove the policy of a queue, or the policy of all queues',
    options: YES,
    run: async (call) => {
      if (!(await call.isWanted(`Remove the policy of ${scopeOf(call)}?`))) return;
      await call.request('DELETE', pathOf(call));
      call.answer({ removed: true }, () => `Removed the policy of ${scopeOf(call)}`);
    },
  },
];
