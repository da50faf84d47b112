import type { Replica, StoreFacts, SystemFacts } from '../../domain/system/system.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** The report of a replica about itself. */
export type ReplicaReport = Omit<Replica, 'seenAt' | 'clockSkewMs' | 'memory'>;

/** Facts about the store, without its latency. */
export interface StoreReport extends Pick<
  SystemFacts,
  'isPersistent' | 'isFull' | 'queuesHeldBack'
> {
  readonly facts: Omit<StoreFacts, 'latencyMs'>;
}

/**
 * Provides facts about the store itself, and about the replicas that share it. Methods throw DomainError
 * `store-unavailable` when the store cannot be reached.
 */
export interface SystemPort {
  store(): Promise<StoreReport>;

  /**
   * Reports that a replica is present; the record expires unless renewed. @param now epoch ms by the replica's clock.
   */
  report(report: ReplicaReport, now: number): Promise<void>;

  /** The replicas that reported within REPLICA_SEEN_FOR, by name. */
  replicas(): Promise<readonly Replica[]>;

  /** The id of the stored data: it stays the same until the store loses them. */
  dataId(): Promise<string>;

  /** The distinct versions of BullMQ that wrote the metadata of the queues. */
  nativeVersions(queues: readonly QueueName[]): Promise<readonly string[]>;
}

/** How long (ms) a replica counts as present after its last report. */
export const REPLICA_SEEN_FOR = 15_000;

export const SYSTEM_NATURES: Natures<SystemPort> = {
  store: 'local',
  report: 'notes',
  replicas: 'looks',
  dataId: 'notes',
  nativeVersions: { is: 'local', isLong: true },
};
