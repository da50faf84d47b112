import type { GroupStanding } from '../../domain/groups/group.ts';
import type { GroupDefaults, GroupSettings } from '../../domain/groups/group-settings.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/**
 * Reads and controls the groups of queues (platform contract, section 13). A change is in force on all replicas from the
 * moment that its method resolves, and wakes those that may start jobs then. Every method may be repeated, and throws
 * DomainError `store-unavailable` when the store cannot be reached; a change may then have been made or not.
 *
 * A group needs no creation: one without jobs can have settings, be paused and be held. None of these creates the queue.
 */
export interface GroupStorePort {
  /**
   * The groups that have jobs that have not ended, or settings, or are paused or held, by id, read in short steps. Of many
   * delayed jobs those count that fall due first. The jobs without a group are a group of id NO_GROUP when some wait or run beside groups.
   *
   * @param defaults those in force, by which groups are blocked.
   */
  list(queue: QueueName, defaults: GroupDefaults | undefined): Promise<readonly GroupStanding[]>;

  /** Undefined for a group that `list` would not have. */
  find(
    queue: QueueName,
    id: string,
    defaults: GroupDefaults | undefined,
  ): Promise<GroupStanding | undefined>;

  /** Stores the settings in place of others; a pause and a hold stay. */
  saveSettings(queue: QueueName, id: string, settings: GroupSettings): Promise<void>;

  /** @returns false when the group had no settings. */
  removeSettings(queue: QueueName, id: string): Promise<boolean>;

  /** Starts no job of the group until it is resumed; running attempts continue. */
  pause(queue: QueueName, id: string): Promise<void>;

  resume(queue: QueueName, id: string): Promise<void>;

  /** Starts no job of the group for so many ms; of several holds the latest end counts. @returns until when, epoch ms. */
  hold(queue: QueueName, id: string, duration: number): Promise<number>;

  endHold(queue: QueueName, id: string): Promise<void>;
}
