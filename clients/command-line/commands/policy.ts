import { asking } from '../asking.ts';
import type { Declaration } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { objectOf } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { recommendedPolicyCommand } from './recommended.ts';

const pathOf = ({ queue }: Invocation): string =>
  queue === '' ? '/policy' : '/queues/<queue>/policy';
const scopeOf = ({ queue }: Invocation): string => queue || 'all queues';
const shows = (policy: unknown): string => JSON.stringify(policy, undefined, 2);

/** The body that --body has, or the standard input. @throws UsageError for a person who gives none. */
export function bodyOf(call: Invocation, example: string): object {
  if (!call.has('body') && call.terminal.hasPerson)
    throw new UsageError(`Give --body, such as --body ${example}`);
  return objectOf('--body', call.text('body') ?? '-');
}

export const policyCommands: readonly Declaration[] = [
  asking({
    usage: 'policy show [queue]',
    summary: 'show the policy of a queue, or the policy of all queues',
    sends: (call) => `GET ${pathOf(call)}`,
    shows,
  }),
  asking({
    usage: 'policy set [queue]',
    summary: 'replace the policy of a queue, or the policy of all queues',
    examples: [
      `policy set mail --body '{"defaults": {"attempts": 3}, "maxWaiting": 10000}'`,
      'policy set mail --body @policy.json',
    ],
    options: { 'body <json>': 'policy as in the API; JSON, @file or - (-)' },
    sends: (call) => `PUT ${pathOf(call)}`,
    body: (call) => bodyOf(call, '@policy.json'),
    shows,
  }),
  recommendedPolicyCommand,
  asking({
    usage: 'policy remove [queue]',
    summary: 'remove the policy of a queue, or the policy of all queues',
    sends: (call) => `DELETE ${pathOf(call)}`,
    question: (call) => `Remove the policy of ${scopeOf(call)}?`,
    done: () => ({ removed: true }),
    shows: (_, call) => `Removed the policy of ${scopeOf(call)}`,
  }),
];
