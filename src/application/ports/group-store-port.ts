import type { GroupStanding } from '../../domain/groups/group.ts';
import type { GroupDefaults, GroupSettings } from '../../domain/groups/group-settings.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Stop } from '../../domain/values/stop.ts';
import type { Natures } from './nature.ts';

/** How many groups a list of groups holds at a time: a store reads as many in two or three milliseconds. */
export const GROUPS_OF_A_PIECE = 200;

/** How many delayed jobs count in a list of groups at most. */
export const MOST_DELAYED_COUNTED = 10_000;

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
   * The groups that have unfinished jobs or settings, or are paused or held, in the order of the bytes of their ids. Each
   * piece has at most GROUPS_OF_A_PIECE groups as of the time when it is read, in a short step of the store; a piece may
   * be empty. Steps of several lists take turns, and none is made for a list that is not read on. If there are many
   * delayed jobs, only those that are due first count. Jobs without a group form the group NO_GROUP if any of them wait
   * or run beside groups.
   *
   * @param defaults the settings in force, which decide whether groups are blocked.
   */
  list(
    queue: QueueName,
    defaults: GroupDefaults | undefined,
  ): AsyncIterable<readonly GroupStanding[]>;

  /** Undefined for a group that `list` would not include. */
  find(
    queue: QueueName,
    id: string,
    defaults: GroupDefaults | undefined,
  ): Promise<GroupStanding | undefined>;

  /**
   * Replaces the settings; a pause and a hold stay.
   *
   * @throws DomainError `too-many-groups` when MOST_CHANGED_GROUPS others have settings.
   */
  saveSettings(queue: QueueName, id: string, settings: GroupSettings): Promise<void>;

  /** @returns false when the group had no settings. */
  removeSettings(queue: QueueName, id: string): Promise<boolean>;

  /**
   * Starts no job of the group until it is resumed; running attempts continue. The group has who paused it, as
   * `latestStop` has it, until then.
   *
   * @throws DomainError `too-many-groups` when MOST_CHANGED_GROUPS others are paused.
   */
  pause(queue: QueueName, id: string, stop?: Stop): Promise<void>;

  resume(queue: QueueName, id: string): Promise<void>;

  /**
   * Starts no job of the group for this many ms; of several holds the latest end counts, and the group has
   * who asked for it. @returns until when, epoch ms.
   *
   * @throws DomainError `too-many-groups` when MOST_CHANGED_GROUPS others are held.
   */
  hold(queue: QueueName, id: string, duration: number, stop?: Stop): Promise<number>;

  endHold(queue: QueueName, id: string): Promise<void>;
}

export const GROUP_NATURES: Natures<GroupStorePort> = {
  list: 'streams queue',
  find: 'reads queue',
  saveSettings: 'enlarges',
  removeSettings: 'changes',
  pause: 'changes',
  resume: 'changes',
  hold: 'changes',
  endHold: 'changes',
};
