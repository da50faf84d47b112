import type { StorePorts } from '../../src/application/store-ports.ts';
import type { StoreHealthPort } from '../../src/application/ports/store-health-port.ts';
import type { OneTimeStorePort } from '../../src/application/ports/one-time-store-port.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';

/** The ports of one replica; its audit keeps ten entries. */
export interface QueueReplica extends Omit<
  StorePorts,
  'movingQueues' | 'nativeTurns' | 'tickets' | 'repairCodes' | 'signInTries'
> {
  readonly oneTime: OneTimeStorePort<unknown>;
  readonly storeHealth: StoreHealthPort;
}

/** What the suites of the queue ports need of a store. One harness serves all tests of a suite. */
export interface QueueHarness extends QueueReplica {
  /** The prefix of qualified queue names. */
  readonly prefix: string;

  /** Epoch milliseconds on the clock that the replicas go by. It may stand still by itself. */
  readonly now: () => number;

  /**
   * Lets `ms` milliseconds pass, for the clock and for whatever else measures time in the store,
   * locks and limiter windows among it.
   */
  readonly advance: (ms: number) => Promise<void>;

  /** How many entries the store has of the groups of some queues, those of shares apart. */
  readonly entriesOfGroups: (queues: readonly QueueName[]) => Promise<number>;

  /** Has the store count so many callbacks of a queue that wait, without making them. */
  readonly countCallbacks?: (queue: QueueName, count: number) => Promise<void>;

  /** Another replica on the same store. */
  readonly replica: () => Promise<QueueReplica>;

  /**
   * All that the store keeps outside of the processes that use it, once whatever it keeps for a while is gone; texts as
   * they are or within JSON. Undefined for a store that keeps nothing.
   */
  readonly dump?: () => Promise<Buffer>;

  /** Removes all queues, where what earlier tests left makes the steps of later ones slower. */
  readonly clear?: () => Promise<void>;

  /** Ends the harness and all its replicas. */
  dispose(): Promise<void>;
}
