import type { Caller } from '../../domain/access/caller.ts';
import { calledShownTo, urlShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import { queueDeduplicationShape } from '../../domain/jobs/deduplication.ts';
import { policyShownTo } from '../../domain/policies/shown-policy.ts';
import { drainOptionsShape } from '../../domain/queues/drain-options.ts';
import { holdOrderShape, heldShape } from '../../domain/queues/hold.ts';
import { QUEUE_SORTS, ORDERS, LISTED_STATES } from '../../domain/queues/listed-states.ts';
import { namePatternShape } from '../../domain/queues/name-pattern.ts';
import { oneOf, optional, string, object, required, integer } from '../../domain/values/shape.ts';
import { stopOrderShape } from '../../domain/values/stop.ts';
import { type FiguredQueues, figuredQueuesPageShape } from '../queues/figured-queues.ts';
import {
  type Queues,
  queuesPageShape,
  queueOverviewShape,
  removedQueueShape,
} from '../queues/queues.ts';
import { anyOf } from './answers/any-of.ts';
import { ofQueue } from './in-queue.ts';
import { place, withOptionalOrder, withOrder } from './input.ts';
import { operation } from './operation.ts';
import { pageOf, textOption, flag } from './options.ts';
import { answers, done } from './out.ts';
import { refuseWithout } from './refuse-without.ts';

/** The most queues on a page, unless a client asks for fewer: as many as may exist. */
const ALL_QUEUES = 1000;

const ofDeduplication = { ...ofQueue, deduplicationId: place() };

/** Whole queues. */
export function queueOperations(queues: Queues, figured: FiguredQueues) {
  return {
    listQueues: operation({
      access: 'read',
      summary: 'List the queues, on request with their figures, sorted and of a state',
      description:
        'Queues that the token may not use are left out. `view=figures` adds rates, failures and ' +
        'why nothing starts.',
      in: {
        ...pageOf('queues', ALL_QUEUES),
        name: textOption(optional(namePatternShape, 'Which queues; `*` stands for any characters')),
        discover: flag('Whether queues that native clients made are looked for first'),
        view: textOption(
          optional(
            oneOf('figures'),
            'With `figures`, how each of the queues does; the rest needs it',
          ),
        ),
        sort: textOption(optional(oneOf(...QUEUE_SORTS), 'The order of the queues; by name')),
        order: textOption(
          optional(oneOf(...ORDERS), 'By default names from the first, numbers from the largest'),
        ),
        state: textOption(optional(oneOf(...LISTED_STATES), 'Only queues of that state')),
      },
      out: answers(anyOf(queuesPageShape, figuredQueuesPageShape), 'The queues'),
      perform: async ({ view, sort, order, state, ...query }, { caller }) => {
        const mayUse = caller.onlyQueues;
        if (view === undefined) {
          refuseWithout('view=figures', { sort, order });
          return state === undefined
            ? queues.list(query, mayUse)
            : figured.listOfState(query, state, mayUse);
        }
        return figured.list({ ...query, sort: sort ?? 'name', order, state, mayUse });
      },
      view: (page, caller) => ({
        ...page,
        queues: page.queues.map((queue) => withWorkerShownTo(caller, queue)),
      }),
    }),
    readQueue: operation({
      access: 'read',
      summary: 'Read the job counts of a queue and how it is processed',
      description: 'It also has why nothing starts although jobs wait, in `blocked`.',
      in: ofQueue,
      out: answers(queueOverviewShape, 'The queue'),
      errors: ['queue-not-found'],
      perform: ({ queue }, { caller }) => queues.read(queue, caller.onlyQueues),
      view: (queue, caller) => ({
        ...withWorkerShownTo(caller, queue),
        policy: queue.policy && policyShownTo(caller, queue.policy),
      }),
    }),
    removeQueue: operation({
      access: 'configure',
      action: 'queue.remove',
      summary: 'Remove a queue with its jobs, its job schedulers and its worker',
      description:
        'Nothing of it is left, so its name has to be repeated in `confirm`. A queue with active ' +
        'jobs is 409 unless `force` is given.',
      in: {
        ...ofQueue,
        confirm: textOption(
          optional(string, 'The name of the queue again; nothing is removed without it'),
        ),
        force: flag('Whether active jobs are removed too, and their calls aborted'),
      },
      out: answers(
        object('QueueRemoval', {
          removed: required(removedQueueShape, 'All that was removed with the queue'),
        }),
        'The queue is removed',
      ),
      errors: ['queue-not-found', 'queue-active'],
      perform: async ({ queue, ...order }) => ({
        removed: { ...(await queues.remove(queue, order)) },
      }),
      report: { line: 'Queue removed', fields: ({ removed }) => removed },
    }),
    pauseQueue: operation({
      access: 'operate',
      action: 'queue.pause',
      summary: 'Pause a queue: no job starts, and running calls continue',
      description:
        'It holds over all replicas and restarts, until the queue is resumed. Jobs can still be ' +
        'added.',
      in: { ...ofQueue, ...withOptionalOrder(stopOrderShape, 'a reason') },
      out: done('The queue is paused'),
      perform: ({ queue, order }, { caller }) => queues.pause(queue, order, caller),
      report: { line: 'Queue paused' },
    }),
    resumeQueue: operation({
      access: 'operate',
      action: 'queue.resume',
      summary: 'Resume a paused queue',
      description: 'Jobs start again in their order. A queue that is not paused stays as it is.',
      in: ofQueue,
      out: done('The queue is not paused'),
      perform: ({ queue }) => queues.resume(queue),
      report: { line: 'Queue resumed' },
    }),
    holdQueue: operation({
      access: 'operate',
      action: 'queue.hold',
      summary: 'Hold a queue: no job starts for a time; of several holds the latest end counts',
      description:
        'A hold is a pause that ends by itself. An endpoint begins one with `Retry-After`.',
      in: { ...ofQueue, ...withOrder(holdOrderShape, 'for how long') },
      out: answers(heldShape, 'The queue is held'),
      perform: async ({ queue, order }, { caller }) => ({
        until: await queues.hold(queue, order, caller),
      }),
      report: { line: 'Queue held', fields: (held) => held },
    }),
    endHold: operation({
      access: 'operate',
      action: 'queue.end-hold',
      summary: 'End the hold of a queue, whether a client or its endpoint began it',
      description: 'Jobs start again at once, unless the queue is paused too.',
      in: ofQueue,
      out: done('The queue is not held'),
      errors: ['queue-not-found'],
      perform: ({ queue }) => queues.endHold(queue),
      report: { line: 'Hold of a queue ended' },
    }),
    drainQueue: operation({
      access: 'operate',
      action: 'queue.drain',
      summary:
        'Remove the waiting and prioritized jobs of a queue, and the delayed ones on request',
      description: 'Active, completed and failed jobs stay. There is no way back.',
      in: { ...ofQueue, ...withOptionalOrder(drainOptionsShape, 'options') },
      out: answers(
        object('Drained', {
          removed: required(integer(0), 'How many jobs were removed'),
        }),
        'The jobs are removed',
      ),
      perform: async ({ queue, order }) => ({
        removed: await queues.drain(queue, order),
      }),
      report: { line: 'Queue drained', fields: (drained) => drained },
    }),
    readDeduplication: operation({
      access: 'read',
      summary: 'Read which job stands for a deduplication id',
      description:
        'While it stands, further jobs with this id are not added, and the answer to their add ' +
        'has its id.',
      in: ofDeduplication,
      out: answers(queueDeduplicationShape, 'The job that stands for it'),
      errors: ['deduplication-not-found'],
      perform: ({ queue, deduplicationId }) => queues.deduplication(queue, deduplicationId),
    }),
    endDeduplication: operation({
      access: 'configure',
      action: 'deduplication.remove',
      summary: 'Allow the next job of a deduplication id to be added',
      description: 'The job that stood for it stays as it is.',
      in: ofDeduplication,
      out: done('No job stands for it'),
      errors: ['deduplication-not-found'],
      perform: ({ queue, deduplicationId }) => queues.endDeduplication(queue, deduplicationId),
      report: { line: 'Deduplication ended' },
    }),
  };
}

/** A queue of a list as a caller may see it. Its worker is the URL, or has it. */
function withWorkerShownTo<Queue extends { readonly worker: string | object | null }>(
  caller: Caller,
  queue: Queue,
) {
  const { worker } = queue;
  return {
    ...queue,
    worker:
      typeof worker === 'string'
        ? urlShownTo(caller, worker)
        : worker && entitled(calledShownTo(caller, worker)),
  };
}
