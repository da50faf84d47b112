import type { Caller } from '../../domain/access/caller.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import { policyShownTo } from '../../domain/policies/shown-policy.ts';
import type { Policies } from '../policies/policies.ts';
import { ALL_QUEUES } from '../kept/policies.ts';
import { callbackQueues, callbackRights } from './callback-queues.ts';
import type { InQueue, Ordered, Previewable } from './in-queue.ts';
import { operation } from './operation.ts';

type SaveInput = Ordered<Policy> & Previewable;

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

const view = (policy: Policy, caller: Caller) => policyShownTo(caller, policy);

/** The policies for jobs that are added to a queue, and to all queues. */
export function policyOperations(policies: Policies) {
  return {
    save: operation({
      id: 'savePolicy',
      access: 'configure',
      action: 'policy.save',
      ...callbackRules,
      perform: ({ queue, order, dryRun }: InQueue & SaveInput) =>
        dryRun ? policies.preview(queue, order) : policies.save(queue, order),
      view,
      report: { line: 'Policy stored', hasChanged: (_, { dryRun }: SaveInput) => !dryRun },
    }),
    read: operation({
      id: 'readPolicy',
      access: 'read',
      perform: ({ queue }: InQueue) => policies.read(queue),
      view,
    }),
    remove: operation({
      id: 'removePolicy',
      access: 'configure',
      action: 'policy.remove',
      perform: ({ queue }: InQueue) => policies.remove(queue),
      report: { line: 'Policy removed' },
    }),
    saveCommon: operation({
      id: 'saveCommonPolicy',
      access: 'configure',
      action: 'policy.save',
      needsAllQueues: true,
      ...callbackRules,
      perform: ({ order, dryRun }: SaveInput) =>
        dryRun ? policies.preview(ALL_QUEUES, order) : policies.save(ALL_QUEUES, order),
      view,
      report: {
        line: 'Policy of all queues stored',
        hasChanged: (_, { dryRun }: SaveInput) => !dryRun,
      },
    }),
    readCommon: operation({
      id: 'readCommonPolicy',
      access: 'read',
      needsAllQueues: true,
      perform: () => policies.read(ALL_QUEUES),
      view,
    }),
    removeCommon: operation({
      id: 'removeCommonPolicy',
      access: 'configure',
      action: 'policy.remove',
      needsAllQueues: true,
      perform: () => policies.remove(ALL_QUEUES),
      report: { line: 'Policy of all queues removed' },
    }),
  };
}

export type PolicyOperations = ReturnType<typeof policyOperations>;
