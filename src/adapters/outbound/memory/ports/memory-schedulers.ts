/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { CalendarPort } from '../../../../application/ports/calendar-port.ts';
import type { SchedulerPort, SchedulerSlot } from '../../../../application/ports/scheduler-port.ts';
import type { Page } from '../../../../domain/values/page.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type {
  NewScheduler,
  RunByHand,
  StoredScheduler,
} from '../../../../domain/schedulers/scheduler.ts';
import type { SchedulerRecord } from '../state/queue-schedulers.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** Schedulers that one turn of the event loop copies. */
const SCHEDULERS_PER_PIECE = 10;

/** Schedulers in the memory of this process. */
export class MemorySchedulers implements SchedulerPort {
  readonly #store: MemoryStore;
  readonly #calendar: CalendarPort;

  constructor(store: MemoryStore, calendar: CalendarPort) {
    this.#store = store;
    this.#calendar = calendar;
    store.records.keep('scheduler', {
      read: (queue, id) => store.find(queue as QueueName)?.schedulers.record(id),
      restore: (queue, id, record) => {
        store.open(queue as QueueName).schedulers.restore(id, record as SchedulerRecord, calendar);
      },
    });
  }

  async save(queue: QueueName, id: string, scheduler: NewScheduler, most: number): Promise<void> {
    this.#store.open(queue).saveScheduler(id, scheduler, most, this.#calendar);
  }

  async find(queue: QueueName, id: string): Promise<StoredScheduler | undefined> {
    return this.#store.find(queue)?.schedulers.find(id);
  }

  async *list(
    queue: QueueName,
    { start, length }: Page,
  ): AsyncGenerator<readonly StoredScheduler[]> {
    const ids =
      this.#store
        .find(queue)
        ?.schedulers.ids()
        .slice(start, start + length) ?? [];
    for (const piece of piecesOf(ids, SCHEDULERS_PER_PIECE)) {
      const found = piece.map((id) => this.#store.find(queue)?.schedulers.find(id));
      const there = found.filter((scheduler) => scheduler !== undefined);
      if (there.length > 0) yield there;
    }
  }

  async slots(queues: readonly QueueName[]): Promise<readonly SchedulerSlot[]> {
    return queues.flatMap((queue) =>
      (this.#store.find(queue)?.schedulers.slots() ?? []).map((slot) => ({ queue, ...slot })),
    );
  }

  async pause(queue: QueueName, id: string): Promise<boolean> {
    return this.#store.find(queue)?.pauseScheduler(id) ?? false;
  }

  async resume(queue: QueueName, id: string): Promise<boolean> {
    return this.#store.find(queue)?.resumeScheduler(id) ?? false;
  }

  async noteRunByHand(queue: QueueName, id: string, run: Omit<RunByHand, 'state'>): Promise<void> {
    this.#store.find(queue)?.schedulers.noteRunByHand(id, run);
  }

  async remove(queue: QueueName, id: string): Promise<boolean> {
    return this.#store.find(queue)?.removeScheduler(id) ?? false;
  }
}
