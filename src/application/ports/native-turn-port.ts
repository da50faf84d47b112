import type { GroupDefaults } from '../../domain/groups/group-settings.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/**
 * Lets native workers, which know nothing of groups, take jobs of groups in turns (platform contract, section 13). Both
 * methods throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface NativeTurnPort {
  /** The queues whose groups currently take turns, in no particular order; none if a store has no native workers. */
  queues(): Promise<readonly QueueName[]>;

  /**
   * Stages the next jobs, by turn, where native workers take theirs, one at a time, and lets groups continue after
   * native workers ended their jobs. This is safe while our own clients claim concurrently: they take the staged job in
   * its turn.
   *
   * @param defaults the settings in force, which decide whether groups are blocked.
   * @returns whether native workers take jobs of the queue, as far as known.
   */
  stage(queue: QueueName, defaults: GroupDefaults | undefined): Promise<boolean>;
}

export const NATIVE_TURN_NATURES: Natures<NativeTurnPort> = { queues: 'local', stage: 'local' };
