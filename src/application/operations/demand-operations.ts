import {
  perWorkerShape,
  DEFAULT_PER_WORKER,
  MOST_DEMAND_PATTERNS,
} from '../../domain/queues/demand.ts';
import { object } from '../../domain/values/shape.ts';
import { type ScalingDemands, totalWantedShape, wantedFields } from '../queues/scaling-demands.ts';
import { ofQueue } from './in-queue.ts';
import { operation } from './operation.ts';
import { wholeNumber, patternList } from './options.ts';
import { answers } from './out.ts';

const perWorker = wholeNumber(
  perWorkerShape,
  DEFAULT_PER_WORKER,
  'How many jobs one worker runs at a time',
);

/** What scales workers. */
export function demandOperations(demands: ScalingDemands) {
  return {
    readQueueDemand: operation({
      access: 'read',
      orRight: 'metrics',
      summary: 'Read how many jobs of a queue want workers',
      description:
        'The jobs that run, and those that a further worker could start. For what scales workers.',
      in: { ...ofQueue, perWorker },
      out: answers(object('Demand', wantedFields), 'The demand of the queue'),
      errors: ['queue-not-found'],
      perform: ({ queue, perWorker }) => demands.ofQueue(queue, perWorker),
    }),
    readDemand: operation({
      access: 'read',
      orRight: 'metrics',
      summary: 'Read how many jobs of several queues want workers',
      description:
        'The demand of a queue, added up over those queues that match and that the token may use. ' +
        'It is about a second old at most, and older with many thousands of queues.',
      in: {
        queues: patternList(MOST_DEMAND_PATTERNS),
        perWorker,
      },
      out: answers(totalWantedShape, 'The demand of the queues together'),
      perform: ({ queues, perWorker }, { caller }) =>
        demands.ofQueues(queues, perWorker, caller.onlyQueues),
    }),
  };
}
