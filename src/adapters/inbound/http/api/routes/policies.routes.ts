import type { Policies } from '../../../../../application/policies/policies.ts';
import { ALL_QUEUES } from '../../../../../application/ports/policy-store-port.ts';
import type { Callback } from '../../../../../domain/jobs/callback.ts';
import { policyShape, type Policy } from '../../../../../domain/policies/policy.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json, OK } from '../../messages/reply.ts';
import { requireCallbackQueues } from '../callback-queues.ts';
import { route, type Route } from '../route.ts';
import { policyBody } from '../schemas/body-formats.ts';

/** The policies for jobs that are added to a queue, and to all queues. */
export function policyRoutes(policies: Policies): readonly Route[] {
  const policy = { tag: 'Queues' } as const;
  const stored = { 200: jsonContent(policyShape, 'The policy') };
  const removed = { 200: okContent('The policy is removed') };

  return [
    route({
      ...policy,
      method: 'PUT',
      path: '/queues/:queue/policy',
      access: 'configure',
      operationId: 'savePolicy',
      action: 'policy.save',
      summary: 'Set the policy for jobs that are added to a queue, in place of any other',
      description:
        'Defaults and limits for jobs that are added from then on: options that clients leave ' +
        'open, sizes, and backlogs.',
      replies: stored,
      body: policyBody,
      handle: async ({ parameters: { queue }, body, caller }) => {
        requireCallbackQueues(caller, callbacksOf(body));
        const policy = await policies.save(queue, body);
        return { line: 'Policy stored', reply: json(policy) };
      },
    }),
    route({
      ...policy,
      method: 'GET',
      path: '/queues/:queue/policy',
      access: 'read',
      operationId: 'readPolicy',
      summary: 'Read the policy of a queue',
      description: 'The policy as it was stored, without what the policy of all queues adds.',
      replies: stored,
      errors: ['policy-not-found'],
      handle: async ({ parameters: { queue } }) => json(await policies.read(queue)),
    }),
    route({
      ...policy,
      method: 'DELETE',
      path: '/queues/:queue/policy',
      access: 'configure',
      operationId: 'removePolicy',
      action: 'policy.remove',
      summary: 'Remove the policy of a queue',
      description:
        'The policy of all queues holds alone then. Jobs that were added stay as they are.',
      replies: removed,
      errors: ['policy-not-found'],
      handle: async ({ parameters: { queue } }) => {
        await policies.remove(queue);
        return { line: 'Policy removed', reply: OK };
      },
    }),
    route({
      ...policy,
      method: 'PUT',
      path: '/policy',
      needsAllQueues: true,
      access: 'configure',
      operationId: 'saveCommonPolicy',
      action: 'policy.save',
      summary: 'Set the policy for all queues, for what the policy of a queue leaves open',
      description: 'Field by field, the policy of a queue goes before it.',
      replies: stored,
      body: policyBody,
      handle: async ({ body, caller }) => {
        requireCallbackQueues(caller, callbacksOf(body));
        const policy = await policies.save(ALL_QUEUES, body);
        return { line: 'Policy of all queues stored', reply: json(policy) };
      },
    }),
    route({
      ...policy,
      method: 'GET',
      path: '/policy',
      needsAllQueues: true,
      access: 'read',
      operationId: 'readCommonPolicy',
      summary: 'Read the policy of all queues',
      description: 'The policy as it was stored; policies of single queues go before it.',
      replies: stored,
      errors: ['policy-not-found'],
      handle: async () => json(await policies.read(ALL_QUEUES)),
    }),
    route({
      ...policy,
      method: 'DELETE',
      path: '/policy',
      needsAllQueues: true,
      access: 'configure',
      operationId: 'removeCommonPolicy',
      action: 'policy.remove',
      summary: 'Remove the policy of all queues',
      description: 'Policies of single queues stay. Jobs that were added stay as they are.',
      replies: removed,
      errors: ['policy-not-found'],
      handle: async () => {
        await policies.remove(ALL_QUEUES);
        return { line: 'Policy of all queues removed', reply: OK };
      },
    }),
  ];
}

/** What jobs of the queue may follow to other queues: a dead letter queue gets copies as a callback does. */
function callbacksOf({ callback, defaults, messages }: Policy): (Callback | undefined)[] {
  const redrive = messages?.redrive;
  return [callback, defaults?.callback, redrive && { queue: redrive.queue }];
}
