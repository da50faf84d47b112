import type { FiguresQuery } from '../../domain/figures/figure-series.ts';
import type { Figures } from '../figures/figures.ts';
import type { InQueue } from './in-queue.ts';
import { operation } from './operation.ts';

/** What happened in queues over time. */
export function figureOperations(figures: Figures) {
  return {
    ofQueue: operation({
      id: 'readQueueFigures',
      access: 'read',
      perform: ({ queue, ...query }: InQueue & FiguresQuery) => figures.ofQueue(queue, query),
    }),
    ofAll: operation({
      id: 'readFigures',
      access: 'read',
      perform: (query: FiguresQuery, { caller }) => figures.ofAll(query, caller.onlyQueues),
    }),
  };
}

export type FigureOperations = ReturnType<typeof figureOperations>;
