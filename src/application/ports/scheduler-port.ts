import type { Page } from '../../domain/values/page.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Stop } from '../../domain/values/stop.ts';
import type { LateStart, SkippedSlot } from '../../domain/schedulers/slot.ts';
import type {
  NewScheduler,
  RunByHand,
  StoredScheduler,
} from '../../domain/schedulers/scheduler.ts';
import type { Natures } from './nature.ts';

/** The next slot of a scheduler. */
export interface SchedulerSlot {
  readonly queue: QueueName;
  readonly id: string;
  /** The slot of its next job, epoch ms; undefined while it is paused. */
  readonly slot: number | undefined;
  /** Jobs that native workers start do not count. */
  readonly late?: LateStart;
  readonly skipped?: SkippedSlot;
}

/**
 * Stores schedulers, each with its next job planned. Starting that job plans the following one, so every slot makes
 * exactly one job, regardless of the number of replicas, and slots that pass while the next job waits to start make
 * none. A claim never returns the job of a slot that is to be skipped because the previous job had not ended at that
 * time, or because the memory of the store is full. Methods throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface SchedulerPort {
  /**
   * Stores the scheduler, replacing any other with its id and removing the next job of that one, and plans its first
   * job. With the same times, it continues where the replaced scheduler stood. A scheduler that is stored as paused has
   * no next job, but a job that is already due stays. The queue exists from then on.
   *
   * @param most how many schedulers the queue may have.
   * @throws DomainError `too-many-schedulers` when the queue has that many, and none with this id.
   */
  save(queue: QueueName, id: string, scheduler: NewScheduler, most: number): Promise<void>;

  find(queue: QueueName, id: string): Promise<StoredScheduler | undefined>;

  /**
   * A page of the schedulers, ordered by next slot and then by id, paused ones last among equal slots, in pieces of
   * bounded size or of one scheduler. The selection is as of the time when the first piece is read, the content of each
   * scheduler as of the time when its own piece is read. No piece is empty.
   */
  list(queue: QueueName, page: Page): AsyncIterable<readonly StoredScheduler[]>;

  /** The next slots of all schedulers of the queues, and which of their jobs started late, in no particular order. */
  slots(queues: readonly QueueName[]): Promise<readonly SchedulerSlot[]>;

  /**
   * Removes the next job, unless it is due, and makes no other until the scheduler is resumed. If a remaining job
   * starts in the meantime, no job is planned after it. The scheduler has who paused it, as `latestStop` has it.
   *
   * @returns false when the scheduler does not exist.
   */
  pause(queue: QueueName, id: string, stop?: Stop): Promise<boolean>;

  /**
   * Continues with the next future slot, if the scheduler is paused. @returns false when the scheduler does not exist.
   */
  resume(queue: QueueName, id: string): Promise<boolean>;

  /**
   * Notes the job of a run by hand as the last of these, which it stays when the scheduler is saved again; nothing when
   * the scheduler does not exist.
   */
  noteRunByHand(queue: QueueName, id: string, run: Omit<RunByHand, 'state'>): Promise<void>;

  /** Removes the scheduler and, unless it is due, its next job. @returns false when it did not exist. */
  remove(queue: QueueName, id: string): Promise<boolean>;
}

export const SCHEDULER_NATURES: Natures<SchedulerPort> = {
  save: 'adds',
  find: 'looks',
  list: 'streams queue',
  slots: { is: 'looks', isLong: true },
  pause: 'changes',
  resume: 'changes',
  noteRunByHand: 'notes',
  remove: 'changes',
};
