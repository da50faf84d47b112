import type { Policy } from '../../domain/policies/policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** The scope of a policy. No queue has the empty name. */
export type PolicyScope = QueueName | typeof ALL_QUEUES;

export const ALL_QUEUES = '';

/**
 * Stores policies; this record is authoritative, and every replica applies it. Methods throw DomainError
 * `store-unavailable` when the store cannot be reached.
 */
export interface PolicyStorePort {
  /** Stores the policy, replacing any other. The policy of a queue also creates the queue, in the same step. */
  save(scope: PolicyScope, policy: Policy): Promise<void>;

  /** @returns false when it did not exist. The queue stays. */
  remove(scope: PolicyScope): Promise<boolean>;

  find(scope: PolicyScope): Promise<Policy | undefined>;

  /** All policies; invalid records are left out. */
  all(): Promise<ReadonlyMap<PolicyScope, Policy>>;
}

export const POLICY_NATURES: Natures<PolicyStorePort> = {
  save: 'enlarges',
  remove: 'changes',
  find: 'looks',
  all: 'looks',
};
