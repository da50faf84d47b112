import type { PolicyOperations } from '../../../../../application/operations/policy-operations.ts';
import { policyShape } from '../../../../../domain/policies/policy.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { policyBody } from '../schemas/body-formats.ts';
import { dryRunQuery } from '../schemas/query-schemas.ts';

/** The policies for jobs that are added to a queue, and to all queues. */
export function policyRoutes(policies: PolicyOperations): readonly Route[] {
  const policy = { tag: 'Queues' } as const;
  const stored = { 200: jsonContent(policyShape, 'The policy') };
  const removed = { 200: okContent('The policy is removed') };

  return [
    route({
      ...policy,
      method: 'PUT',
      path: '/queues/:queue/policy',
      operation: policies.save,
      summary: 'Set the policy for jobs that are added to a queue, in place of any other',
      description:
        'Defaults and limits for jobs that are added from then on: options that clients leave ' +
        'open, sizes, and backlogs.',
      replies: stored,
      body: policyBody,
      query: dryRunQuery,
    }),
    route({
      ...policy,
      method: 'GET',
      path: '/queues/:queue/policy',
      operation: policies.read,
      summary: 'Read the policy of a queue',
      description: 'The policy as it was stored, without what the policy of all queues adds.',
      replies: stored,
      errors: ['policy-not-found'],
    }),
    route({
      ...policy,
      method: 'DELETE',
      path: '/queues/:queue/policy',
      operation: policies.remove,
      summary: 'Remove the policy of a queue',
      description:
        'The policy of all queues holds alone then. Jobs that were added stay as they are.',
      replies: removed,
      errors: ['policy-not-found'],
    }),
    route({
      ...policy,
      method: 'PUT',
      path: '/policy',
      operation: policies.saveCommon,
      summary: 'Set the policy for all queues, for what the policy of a queue leaves open',
      description: 'Field by field, the policy of a queue goes before it.',
      replies: stored,
      body: policyBody,
      query: dryRunQuery,
    }),
    route({
      ...policy,
      method: 'GET',
      path: '/policy',
      operation: policies.readCommon,
      summary: 'Read the policy of all queues',
      description: 'The policy as it was stored; policies of single queues go before it.',
      replies: stored,
      errors: ['policy-not-found'],
    }),
    route({
      ...policy,
      method: 'DELETE',
      path: '/policy',
      operation: policies.removeCommon,
      summary: 'Remove the policy of all queues',
      description: 'Policies of single queues stay. Jobs that were added stay as they are.',
      replies: removed,
      errors: ['policy-not-found'],
    }),
  ];
}
