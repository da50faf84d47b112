/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import {
  KEPT_MINUTES,
  type CallFiguresPort,
  type MinuteOfCalls,
} from '../../../../application/ports/call-figures-port.ts';
import type { CallFigures } from '../../../../domain/calls/call-figures.ts';
import type { Traces } from '../../../../domain/jobs/traces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { RecordsOfQueues } from '../records/records-of-queues.ts';
import { StepMap } from '../records/step-map.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The figures of calls in the memory of this process, by minute and source. They go with their queue. */
export class MemoryCallFigures implements CallFiguresPort {
  readonly #figures: RecordsOfQueues<StepMap<CallFigures>>;

  constructor(store: MemoryStore) {
    this.#figures = new RecordsOfQueues(store, 'call-figures', (changed) => new StepMap(changed));
  }

  async save({ queue, minute, source, figures }: MinuteOfCalls): Promise<void> {
    const minutes = this.#figures.open(queue);
    minutes?.put(minute, source, figures);
    minutes?.forget(minute - KEPT_MINUTES);
  }

  async forget(queue: QueueName, traces: Traces): Promise<void> {
    this.#figures.find(queue)?.edit((figures) => traces.figuresWithout(figures));
  }

  async readEach(
    queues: readonly QueueName[],
    first: number,
    last: number,
  ): Promise<readonly (readonly CallFigures[])[]> {
    return queues.map((queue) => {
      const found = this.#figures.find(queue)?.between(first, last) ?? [];
      return found.map(({ record }) => record);
    });
  }
}
