import type { ScalingDemands } from '../queues/scaling-demands.ts';
import type { InQueue } from './in-queue.ts';
import { operation } from './operation.ts';

interface PerWorker {
  readonly perWorker: number;
}

export interface DemandInput extends PerWorker {
  /** Patterns of queues; all without. */
  readonly queues: readonly string[] | undefined;
}

/** What scales workers. */
export function demandOperations(demands: ScalingDemands) {
  return {
    ofQueue: operation({
      id: 'readQueueDemand',
      access: 'read',
      orRight: 'metrics',
      perform: ({ queue, perWorker }: InQueue & PerWorker) => demands.ofQueue(queue, perWorker),
    }),
    ofQueues: operation({
      id: 'readDemand',
      access: 'read',
      orRight: 'metrics',
      perform: ({ queues, perWorker }: DemandInput, { caller }) =>
        demands.ofQueues(queues, perWorker, caller.onlyQueues),
    }),
  };
}

export type DemandOperations = ReturnType<typeof demandOperations>;
