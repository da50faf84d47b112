import { policyShape, type Policy } from '../../domain/policies/policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import { ofShape, type Collection } from './collection.ts';

/** The scope of a policy. No queue has the empty name. */
export type PolicyScope = QueueName | typeof ALL_QUEUES;

export const ALL_QUEUES = '';

/** The policies, by their scopes. To put that of a queue also creates the queue, in the same step; the queue stays. */
export type KeptPolicies = CollectionPort<Policy, PolicyScope>;

export const POLICIES: Collection<Policy, PolicyScope> = {
  kind: 'policy',
  key: 'policies',
  queueOf: (scope) => (scope === ALL_QUEUES ? undefined : scope),
  read: ofShape(policyShape, 'policy'),
};
