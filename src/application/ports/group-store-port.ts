import type { GroupStanding } from '../../domain/groups/group.ts';
import type { GroupDefaults, GroupSettings } from '../../domain/groups/group-settings.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/**
 * Reads and controls the groups of queues (platform contract, section 13). A change applies to all replicas once its
 * method resolves, and wakes those that may then start jobs. Every method may be repeated, and throws DomainError
 * `store-unavailable` when the store cannot be reached; whether the change was made is then unknown.
 *
 * A group need not be created: even without jobs it can have settings, be paused and be held. None of these creates the
 * queue.
 */
export interface GroupStorePort {
  /**
   * The groups that have unfinished jobs or settings, or are paused or held, by id, read in short steps. If there are
   * many delayed jobs, only those that are due first count. Jobs without a group form the group NO_GROUP if any of them
   * wait or run beside groups.
   *
   * @param defaults the settings in force, which decide whether groups are blocked.
   */
  list(queue: QueueName, defaults: GroupDefaults | undefined): Promise<readonly GroupStanding[]>;

  /** Undefined for a group that `list` would not include. */
  find(
    queue: QueueName,
    id: string,
    defaults: GroupDefaults | undefined,
  ): Promise<GroupStanding | undefined>;

  /** Replaces the settings; a pause and a hold stay. */
  saveSettings(queue: QueueName, id: string, settings: GroupSettings): Promise<void>;

  /** @returns false when the group had no settings. */
  removeSettings(queue: QueueName, id: string): Promise<boolean>;

  /** Starts no job of the group until it is resumed; running attempts continue. */
  pause(queue: QueueName, id: string): Promise<void>;

  resume(queue: QueueName, id: string): Promise<void>;

  /**
   * Starts no job of the group for this many ms; of several holds the latest end counts. @returns until when, epoch ms.
   */
  hold(queue: QueueName, id: string, duration: number): Promise<number>;

  endHold(queue: QueueName, id: string): Promise<void>;
}
