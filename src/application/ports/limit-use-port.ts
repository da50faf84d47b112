import type { LimitSettings } from '../../domain/limits/limit.ts';
import type { LimitUse, QueueAtLimit } from '../../domain/limits/limit-use.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** A limit to examine. */
export interface LimitQuery {
  readonly name: string;
  /** The queue whose calls are counted apart. */
  readonly queue?: QueueName | undefined;
}

/**
 * Reads how much of the limits is in use that queues share (further contract, section 23), and keeps the settings of
 * those of flow control keys (domain/messages/flow-limit). Methods throw DomainError
 * `store-unavailable` when the store cannot be reached.
 */
export interface LimitUsePort {
  /** The current use of each limit; undefined for one that does not exist. */
  uses(queries: readonly LimitQuery[]): Promise<readonly (LimitUse | undefined)[]>;

  /**
   * Has settings in force for the limit of a flow control key, in place of any others, for as long as it is used.
   *
   * @param delay until its latest message is due, in milliseconds.
   */
  bind(limit: string, settings: LimitSettings, delay: number): Promise<void>;

  /** The queues that run calls under a limit, or wait for room, by name. */
  queuesAt(limit: string): Promise<readonly QueueAtLimit[]>;
}

export const LIMIT_USE_NATURES: Natures<LimitUsePort> = {
  uses: 'reads store',
  bind: 'enlarges',
  queuesAt: 'reads store',
};
