import type { Caller } from '../../domain/access/caller.ts';
import { type Policy, policyShape } from '../../domain/policies/policy.ts';
import { policyShownTo } from '../../domain/policies/shown-policy.ts';
import { ALL_QUEUES } from '../kept/policies.ts';
import type { Policies } from '../policies/policies.ts';
import { callbackQueues, callbackRights } from './callback-queues.ts';
import { type Ordered, ofQueue } from './in-queue.ts';
import { withOptionalOrder } from './input.ts';
import { operation } from './operation.ts';
import { previewable } from './options.ts';
import { answers, done } from './out.ts';

/** What ends of jobs of a queue with the policy add to other queues. A dead letter queue is one of them. */
const callbacksOf = ({ order }: Ordered<Policy>) => {
  const { callback, defaults, messages } = order;
  const redrive = messages?.redrive;
  return [callback, defaults?.callback, redrive && { queue: redrive.queue }];
};

const callbackRules = {
  rightsOf: (input: Ordered<Policy>) => callbackRights(callbacksOf(input)),
  queuesOf: (input: Ordered<Policy>) => callbackQueues(callbacksOf(input)),
};

const answering = {
  out: answers(policyShape, 'The policy'),
  view: (policy: Policy, caller: Caller) => policyShownTo(caller, policy),
};

const saving = {
  access: 'configure',
  action: 'policy.save',
  errors: ['policy-in-use'],
  ...callbackRules,
  ...answering,
} as const;

const reading = { access: 'read', errors: ['policy-not-found'], ...answering } as const;

const removing = {
  access: 'configure',
  action: 'policy.remove',
  out: done('The policy is removed'),
  errors: ['policy-not-found', 'policy-in-use'],
} as const;

/** The policies for jobs that are added to a queue, and to all queues. */
export function policyOperations(policies: Policies) {
  return {
    savePolicy: operation({
      ...saving,
      summary: 'Set the policy for jobs that are added to a queue, in place of any other',
      description:
        'Defaults and limits for jobs that are added from then on: options that clients leave ' +
        'open, sizes, and backlogs.',
      in: { ...ofQueue, ...previewable, ...withOptionalOrder(policyShape, 'a policy') },
      perform: ({ queue, order, dryRun }) =>
        dryRun ? policies.preview(queue, order) : policies.save(queue, order),
      report: { line: 'Policy stored' },
    }),
    readPolicy: operation({
      ...reading,
      summary: 'Read the policy of a queue',
      description: 'The policy as it was stored, without what the policy of all queues adds.',
      in: ofQueue,
      perform: ({ queue }) => policies.read(queue),
    }),
    removePolicy: operation({
      ...removing,
      summary: 'Remove the policy of a queue',
      description:
        'The policy of all queues holds alone then. Jobs that were added stay as they are.',
      in: ofQueue,
      perform: ({ queue }) => policies.remove(queue),
      report: { line: 'Policy removed' },
    }),
    saveCommonPolicy: operation({
      ...saving,
      needsAllQueues: true,
      summary: 'Set the policy for all queues, for what the policy of a queue leaves open',
      description: 'Field by field, the policy of a queue goes before it.',
      in: { ...previewable, ...withOptionalOrder(policyShape, 'a policy') },
      perform: ({ order, dryRun }) =>
        dryRun ? policies.preview(ALL_QUEUES, order) : policies.save(ALL_QUEUES, order),
      report: { line: 'Policy of all queues stored' },
    }),
    readCommonPolicy: operation({
      ...reading,
      needsAllQueues: true,
      summary: 'Read the policy of all queues',
      description: 'The policy as it was stored; policies of single queues go before it.',
      in: {},
      perform: () => policies.read(ALL_QUEUES),
    }),
    removeCommonPolicy: operation({
      ...removing,
      needsAllQueues: true,
      summary: 'Remove the policy of all queues',
      description: 'Policies of single queues stay. Jobs that were added stay as they are.',
      in: {},
      perform: () => policies.remove(ALL_QUEUES),
      report: { line: 'Policy of all queues removed' },
    }),
  };
}
