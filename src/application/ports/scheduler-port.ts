import type { Page } from '../../domain/page.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import type { NewScheduler, StoredScheduler } from '../../domain/scheduler.ts';

/**
 * Stores schedulers, each with its next job planned. Whoever starts that job plans the one after, so every slot makes one
 * job, whatever the number of replicas, and none is made for slots that go by while the next job waits to start. A
 * claim never gives away the job of a slot that is to be skipped, since the job before it had not ended when it came.
 * Methods throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface SchedulerPort {
  /**
   * Stores the scheduler in place of any other of its id, whose next job it takes away, and plans its first job. With
   * the same times it goes on from where the other one stood. One that is stored as paused has no next job, and a job
   * that is due already stays. The queue exists from then on.
   *
   * @param most how many schedulers the queue may have.
   * @throws DomainError `too-many-schedulers` when it has as many, and none of that id.
   */
  save(queue: QueueName, id: string, scheduler: NewScheduler, most: number): Promise<void>;

  find(queue: QueueName, id: string): Promise<StoredScheduler | undefined>;

  /**
   * A page of them in the order of their next slots, in pieces of bounded size or of one scheduler. Which ones these
   * are is of the moment when the first piece is read, how each looks of the moment of its own. No piece is empty.
   */
  list(queue: QueueName, page: Page): AsyncIterable<readonly StoredScheduler[]>;

  /**
   * Takes the next job away, unless that is due, and has none made until it is resumed. Whoever starts one meanwhile
   * plans none after it. @returns false when there is no such scheduler.
   */
  pause(queue: QueueName, id: string): Promise<boolean>;

  /** Goes on with the next slot to come, if it is paused. @returns false when there is no such scheduler. */
  resume(queue: QueueName, id: string): Promise<boolean>;

  /** Removes the scheduler and, unless that is due, its next job. @returns false when there was none. */
  remove(queue: QueueName, id: string): Promise<boolean>;
}
