import { calledShownTo, urlShownTo } from '../../domain/access/shown-urls.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { DrainOptions } from '../../domain/queues/drain-options.ts';
import { policyShownTo } from '../../domain/policies/shown-policy.ts';
import type { HoldOrder } from '../../domain/queues/hold.ts';
import type { ListedState, Order, QueueSort } from '../../domain/queues/listed-states.ts';
import type { FiguredQueues } from '../queues/figured-queues.ts';
import type { Queues, QueuesQuery, RemovalOrder } from '../queues/queues.ts';
import type { InQueue, Ordered } from './in-queue.ts';
import { operation } from './operation.ts';
import { refuseWithout } from './refuse-without.ts';

export interface QueueListInput extends QueuesQuery {
  readonly view: 'figures' | undefined;
  readonly sort: QueueSort | undefined;
  readonly order: Order | undefined;
  readonly state: ListedState | undefined;
}

interface OfDeduplication extends InQueue {
  readonly deduplicationId: string;
}

/** Whole queues. */
export function queueOperations(queues: Queues, figured: FiguredQueues) {
  return {
    list: operation({
      id: 'listQueues',
      access: 'read',
      perform: async ({ view, sort, order, state, ...query }: QueueListInput, { caller }) => {
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
    read: operation({
      id: 'readQueue',
      access: 'read',
      perform: ({ queue }: InQueue, { caller }) => queues.read(queue, caller.onlyQueues),
      view: (queue, caller) => ({
        ...withWorkerShownTo(caller, queue),
        policy: queue.policy && policyShownTo(caller, queue.policy),
      }),
    }),
    remove: operation({
      id: 'removeQueue',
      access: 'configure',
      action: 'queue.remove',
      perform: async ({ queue, ...order }: InQueue & RemovalOrder) => ({
        removed: { ...(await queues.remove(queue, order)) },
      }),
      report: { line: 'Queue removed', fields: ({ removed }) => removed },
    }),
    pause: operation({
      id: 'pauseQueue',
      access: 'operate',
      action: 'queue.pause',
      perform: ({ queue }: InQueue) => queues.pause(queue),
      report: { line: 'Queue paused' },
    }),
    resume: operation({
      id: 'resumeQueue',
      access: 'operate',
      action: 'queue.resume',
      perform: ({ queue }: InQueue) => queues.resume(queue),
      report: { line: 'Queue resumed' },
    }),
    hold: operation({
      id: 'holdQueue',
      access: 'operate',
      action: 'queue.hold',
      perform: async ({ queue, order }: InQueue & Ordered<HoldOrder>) => ({
        until: await queues.hold(queue, order),
      }),
      report: { line: 'Queue held', fields: (held) => held },
    }),
    endHold: operation({
      id: 'endHold',
      access: 'operate',
      action: 'queue.end-hold',
      perform: ({ queue }: InQueue) => queues.endHold(queue),
      report: { line: 'Hold of a queue ended' },
    }),
    drain: operation({
      id: 'drainQueue',
      access: 'operate',
      action: 'queue.drain',
      perform: async ({ queue, order }: InQueue & Ordered<DrainOptions>) => ({
        removed: await queues.drain(queue, order),
      }),
      report: { line: 'Queue drained', fields: (drained) => drained },
    }),
    readDeduplication: operation({
      id: 'readDeduplication',
      access: 'read',
      perform: ({ queue, deduplicationId }: OfDeduplication) =>
        queues.deduplication(queue, deduplicationId),
    }),
    endDeduplication: operation({
      id: 'endDeduplication',
      access: 'configure',
      action: 'deduplication.remove',
      perform: ({ queue, deduplicationId }: OfDeduplication) =>
        queues.endDeduplication(queue, deduplicationId),
      report: { line: 'Deduplication ended' },
    }),
  };
}

export type QueueOperations = ReturnType<typeof queueOperations>;

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
