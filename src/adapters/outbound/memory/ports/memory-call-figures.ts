/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import {
  KEPT_MINUTES,
  type CallFiguresPort,
  type MinuteOfCalls,
} from '../../../../application/ports/call-figures-port.ts';
import type { CallFigures } from '../../../../domain/calls/call-figures.ts';
import type { Traces } from '../../../../domain/jobs/traces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';

type Minutes = Map<number, Map<string, CallFigures>>;

/** The figures of calls in the memory of this process, by minute and source. */
export class MemoryCallFigures implements CallFiguresPort {
  readonly #store: MemoryStore;
  /** They go with their queue. */
  readonly #minutes = new WeakMap<StoredQueue, Minutes>();

  constructor(store: MemoryStore) {
    this.#store = store;
    store.records.keepWithQueues('call-figures', {
      read: (queue, id) => {
        const [minute, source] = minuteAndSource(id);
        return this.#find(queue as QueueName)
          ?.get(minute)
          ?.get(source);
      },
      restore: (queue, id, record) => {
        const [minute, source] = minuteAndSource(id);
        const figures = record as CallFigures;
        return this.#set({ queue: queue as QueueName, minute, source, figures });
      },
      remove: (queue, id) => {
        const [minute, source] = minuteAndSource(id);
        const sources = this.#find(queue as QueueName)?.get(minute);
        sources?.delete(source);
      },
      ids: (queue) =>
        [...(this.#find(queue) ?? [])].flatMap(([minute, sources]) =>
          [...sources.keys()].map((source) => `${minute} ${source}`),
        ),
    });
  }

  async save(minuteOfCalls: MinuteOfCalls): Promise<void> {
    this.#set(minuteOfCalls);
    const { queue, minute, source } = minuteOfCalls;
    this.#changed(queue, minute, source);
    const minutes = this.#find(queue) ?? (new Map() as Minutes);
    for (const [old, sources] of minutes) {
      if (old >= minute - KEPT_MINUTES) continue;
      minutes.delete(old);
      for (const each of sources.keys()) this.#changed(queue, old, each);
    }
  }

  async forget(queue: QueueName, traces: Traces): Promise<void> {
    for (const [minute, sources] of this.#find(queue) ?? []) {
      for (const [source, figures] of sources) {
        sources.set(source, traces.figuresWithout(figures));
        this.#changed(queue, minute, source);
      }
    }
  }

  async readEach(
    queues: readonly QueueName[],
    first: number,
    last: number,
  ): Promise<readonly (readonly CallFigures[])[]> {
    return queues.map((queue) => this.#between(queue, first, last));
  }

  #between(queue: QueueName, first: number, last: number): readonly CallFigures[] {
    const minutes = this.#find(queue);
    if (minutes === undefined) return [];
    const wanted = [...minutes].filter(([minute]) => minute >= first && minute <= last);
    return wanted.flatMap(([, sources]) => [...sources.values()]);
  }

  #find(queue: QueueName): Minutes | undefined {
    const found = this.#store.find(queue);
    return found && this.#minutes.get(found);
  }

  /** @returns false for a queue that does not exist. */
  #set({ queue, minute, source, figures }: MinuteOfCalls): boolean {
    const found = this.#store.find(queue);
    if (found === undefined) return false;
    const minutes = this.#minutes.get(found) ?? (new Map() as Minutes);
    this.#minutes.set(found, minutes);
    const sources = minutes.get(minute) ?? new Map<string, CallFigures>();
    minutes.set(minute, sources.set(source, figures));
    return true;
  }

  #changed(queue: QueueName, minute: number, source: string): void {
    this.#store.records.changes.note('call-figures', queue, `${minute} ${source}`);
  }
}

function minuteAndSource(id: string): readonly [minute: number, source: string] {
  const [minute = '', ...source] = id.split(' ');
  return [Number(minute), source.join(' ')];
}
