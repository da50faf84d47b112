import type { Replica, StoreFacts } from '../../domain/system/system.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** What a replica reports of itself. */
export type ReplicaReport = Omit<Replica, 'seenAt' | 'clockSkewMs'>;

/** The store, without how long a call to it takes. */
export interface StoreReport {
  readonly facts: Omit<StoreFacts, 'latencyMs'>;
  /** Whether what is stored outlasts the store's process; null when that is unknown. */
  readonly isPersistent: boolean | null;
}

/**
 * Knows the store itself, and the replicas that share it. Methods throw DomainError `store-unavailable` when it cannot
 * be reached.
 */
export interface SystemPort {
  store(): Promise<StoreReport>;

  /** Records that a replica is there; the record goes when it is not renewed. @param now epoch ms on its clock. */
  report(report: ReplicaReport, now: number): Promise<void>;

  /** The replicas that reported within REPLICA_SEEN_FOR, by their names. */
  replicas(): Promise<readonly Replica[]>;

  /** The versions of BullMQ that wrote the metadata of the queues, each once. */
  nativeVersions(queues: readonly QueueName[]): Promise<readonly string[]>;
}

/** For how long (ms) a replica counts as there after its last report. */
export const REPLICA_SEEN_FOR = 15_000;
