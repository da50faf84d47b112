import type { GroupDefaults } from '../../domain/groups/group-settings.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/**
 * Lets native workers, which know nothing of groups, take jobs of groups in turns (platform contract, section 13). Both
 * methods throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface NativeTurnPort {
  /** The queues whose groups take turns at the moment, in no order; none where a store has no native workers. */
  queues(): Promise<readonly QueueName[]>;

  /**
   * Has the job whose turn it is wait where native workers take theirs, one at a time, and has groups go on whose jobs
   * native workers ended. It is harmless when clients of ours claim at the same time: they take this job in its turn.
   *
   * @param defaults those in force, by which groups are blocked.
   * @returns whether native workers take jobs of the queue, as far as is known.
   */
  stage(queue: QueueName, defaults: GroupDefaults | undefined): Promise<boolean>;
}
