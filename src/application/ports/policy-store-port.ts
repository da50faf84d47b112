import type { Policy } from '../../domain/policies/policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** What a policy is for. No queue has the empty name. */
export type PolicyScope = QueueName | typeof ALL_QUEUES;

export const ALL_QUEUES = '';

/**
 * Stores policies; this record is the truth that every replica applies. Methods throw DomainError
 * `store-unavailable` when it cannot be reached.
 */
export interface PolicyStorePort {
  /** Stores the policy in place of any other. That of a queue creates the queue, in the same step. */
  save(scope: PolicyScope, policy: Policy): Promise<void>;

  /** @returns false when there was none. The queue stays. */
  remove(scope: PolicyScope): Promise<boolean>;

  find(scope: PolicyScope): Promise<Policy | undefined>;

  /** All policies; invalid records are left out. */
  all(): Promise<ReadonlyMap<PolicyScope, Policy>>;
}
