/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { SchedulerPort, SchedulerSlot } from '../../../../application/ports/scheduler-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { SchedulerRecord } from '../../../../domain/records/scheduler-record.ts';
import type {
  NewScheduler,
  RunByHand,
  StoredScheduler,
} from '../../../../domain/schedulers/scheduler.ts';
import {
  noteRunByHand,
  pauseScheduler,
  removeScheduler,
  resumeScheduler,
  saveScheduler,
  shownScheduler,
} from '../../../../domain/transitions/schedule.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import type { Page } from '../../../../domain/values/page.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** Schedulers that one turn of the event loop copies. */
const SCHEDULERS_PER_PIECE = 10;

/** Schedulers in the memory of this process. */
export class MemorySchedulers implements SchedulerPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async save(name: QueueName, id: string, scheduler: NewScheduler, most: number): Promise<void> {
    this.#store.step(name, (queue, now) => {
      saveScheduler(queue, id, scheduler, most, now);
    });
  }

  async find(name: QueueName, id: string): Promise<StoredScheduler | undefined> {
    return this.#shown(name, id);
  }

  async *list(
    name: QueueName,
    { start, length }: Page,
  ): AsyncGenerator<readonly StoredScheduler[]> {
    const all = this.#all(name)
      .sort(inOrder)
      .slice(start, start + length);
    for (const piece of piecesOf(all, SCHEDULERS_PER_PIECE)) {
      const found = piece.map(({ id }) => this.#shown(name, id));
      const there = found.filter((scheduler) => scheduler !== undefined);
      if (there.length > 0) yield there;
    }
  }

  async slots(queues: readonly QueueName[]): Promise<readonly SchedulerSlot[]> {
    return queues.flatMap((queue) =>
      this.#all(queue).map(({ id, state: { slot, isPaused, late, skipped } }) => {
        const missed = { ...(late && { late }), ...(skipped && { skipped }) };
        return { queue, id, slot: isPaused ? undefined : slot, ...missed };
      }),
    );
  }

  async pause(name: QueueName, id: string): Promise<boolean> {
    return this.#store.stepIfAny(name, (queue, now) => pauseScheduler(queue, id, now)) ?? false;
  }

  async resume(name: QueueName, id: string): Promise<boolean> {
    return this.#store.stepIfAny(name, (queue, now) => resumeScheduler(queue, id, now)) ?? false;
  }

  async noteRunByHand(name: QueueName, id: string, run: Omit<RunByHand, 'state'>): Promise<void> {
    this.#store.stepIfAny(name, (queue) => {
      noteRunByHand(queue, id, run);
    });
  }

  async remove(name: QueueName, id: string): Promise<boolean> {
    return this.#store.stepIfAny(name, (queue, now) => removeScheduler(queue, id, now)) ?? false;
  }

  #all(name: QueueName): SchedulerRecord[] {
    return [...(this.#store.find(name)?.schedulers.values() ?? [])];
  }

  #shown(name: QueueName, id: string): StoredScheduler | undefined {
    return this.#store.stepIfAny(name, (queue) => {
      const scheduler = queue.schedulers.find(id);
      return scheduler && shownScheduler(queue, scheduler);
    });
  }
}

/** By their next slots. Within a slot, paused ones come last; then ids decide, as in Redis. */
function inOrder(one: SchedulerRecord, other: SchedulerRecord): number {
  return (
    one.state.slot - other.state.slot ||
    Number(one.state.isPaused) - Number(other.state.isPaused) ||
    byteOrder(one.id, other.id)
  );
}
