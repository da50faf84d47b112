/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import {
  KEPT_MINUTES,
  type CallFiguresPort,
  type MinuteOfCalls,
} from '../../../../application/ports/call-figures-port.ts';
import type { CallFigures } from '../../../../domain/calls/call-figures.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { MemoryQueue } from '../state/memory-queue.ts';
import type { MemoryStore } from '../state/memory-store.ts';

type Minutes = Map<number, Map<string, CallFigures>>;

/** The figures of calls in the memory of this process, by minute and source. */
export class MemoryCallFigures implements CallFiguresPort {
  readonly #store: MemoryStore;
  /** They go with their queue. */
  readonly #minutes = new WeakMap<MemoryQueue, Minutes>();

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async save({ queue, minute, source, figures }: MinuteOfCalls): Promise<void> {
    const found = this.#store.find(queue);
    if (found === undefined) return;
    const minutes = this.#minutes.get(found) ?? (new Map() as Minutes);
    this.#minutes.set(found, minutes);
    const sources = minutes.get(minute) ?? new Map<string, CallFigures>();
    minutes.set(minute, sources.set(source, figures));
    for (const old of minutes.keys()) if (old < minute - KEPT_MINUTES) minutes.delete(old);
  }

  async read(queue: QueueName, first: number, last: number): Promise<readonly CallFigures[]> {
    const found = this.#store.find(queue);
    const minutes = found && this.#minutes.get(found);
    if (minutes === undefined) return [];
    const wanted = [...minutes].filter(([minute]) => minute >= first && minute <= last);
    return wanted.flatMap(([, sources]) => [...sources.values()]);
  }
}
