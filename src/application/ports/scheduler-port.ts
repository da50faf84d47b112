import type { Page } from '../../domain/values/page.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { NewScheduler, StoredScheduler } from '../../domain/schedulers/scheduler.ts';

/** When a scheduler is due. */
export interface SchedulerSlot {
  readonly queue: QueueName;
  readonly id: string;
  /** Of its next job, epoch ms; undefined while it is paused. */
  readonly slot: number | undefined;
}

/**
 * Stores schedulers, each with its next job planned. Starting that job plans the one after it, so every slot
 * makes one job, whatever the number of replicas, and slots that pass while the next job waits to start make none. A
 * claim never returns the job of a slot that is to be skipped because the job before it had not ended at that time.
 * Methods throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface SchedulerPort {
  /**
   * Stores the scheduler in place of any other of its id, removes the next job of that one, and plans its first job.
   * With the same times it continues from where the other one stood. A scheduler that is stored as paused has no next
   * job, and a job that is already due stays. The queue exists from then on.
   *
   * @param most how many schedulers the queue may have.
   * @throws DomainError `too-many-schedulers` when the queue has as many, and none of that id.
   */
  save(queue: QueueName, id: string, scheduler: NewScheduler, most: number): Promise<void>;

  find(queue: QueueName, id: string): Promise<StoredScheduler | undefined>;

  /**
   * A page of them in the order of their next slots, of one slot the paused ones last, then of their ids, in pieces of bounded size or of one scheduler. Which ones these
   * are is of the moment when the first piece is read, how each looks of the moment of its own. No piece is empty.
   */
  list(queue: QueueName, page: Page): AsyncIterable<readonly StoredScheduler[]>;

  /** When all schedulers of the queues are due, in no order. */
  slots(queues: readonly QueueName[]): Promise<readonly SchedulerSlot[]>;

  /**
   * Removes the next job, unless that is due, and makes no other until the scheduler is resumed. Starting a job
   * meanwhile plans none after it. @returns false when there is no such scheduler.
   */
  pause(queue: QueueName, id: string): Promise<boolean>;

  /**
   * Continues with the next slot to come, if the scheduler is paused. @returns false when there is no such scheduler.
   */
  resume(queue: QueueName, id: string): Promise<boolean>;

  /** Removes the scheduler and, unless that is due, its next job. @returns false when there was none. */
  remove(queue: QueueName, id: string): Promise<boolean>;
}
