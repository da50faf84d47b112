/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import {
  KEPT_MINUTES,
  type CallFiguresPort,
} from '../../../../application/ports/call-figures-port.ts';
import type { CallFigures } from '../../../../domain/calls/call-figures.ts';
import { RecordsOfQueues } from '../records/records-of-queues.ts';
import { StepMap } from '../records/step-map.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The figures of calls in the memory of this process, by minute and source. They go with their queue. */
export function memoryCallFigures(store: MemoryStore): CallFiguresPort {
  const ofQueues = new RecordsOfQueues(
    store,
    'call-figures',
    (changed) => new StepMap<CallFigures>(changed),
  );
  return {
    save: async ({ queue, minute, source, figures }) => {
      const minutes = ofQueues.open(queue);
      minutes?.put(minute, source, figures);
      minutes?.forget(minute - KEPT_MINUTES);
    },
    forget: async (queue, traces) =>
      ofQueues.find(queue)?.edit((figures) => traces.figuresWithout(figures)),
    readEach: async (queues, first, last) =>
      queues.map((queue) => {
        const found = ofQueues.find(queue)?.between(first, last) ?? [];
        return found.map(({ record }) => record);
      }),
  };
}
