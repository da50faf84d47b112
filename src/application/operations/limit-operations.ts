import { queueAtLimitShape } from '../../domain/limits/limit-use.ts';
import { limitSettingsShape } from '../../domain/limits/limit.ts';
import { integer, listOf, object, required } from '../../domain/values/shape.ts';
import { shownLimitShape, type Limits } from '../limits/limits.ts';
import { place, withOrder } from './input.ts';
import { operation } from './operation.ts';
import { previewable } from './options.ts';
import { answers, done } from './out.ts';

const ofLimit = { limit: place() };

const fields = (_: unknown, { limit }: { readonly limit: string }) => ({ limit });

/** Limits that several queues share (further contract, section 23). */
export function limitOperations(limits: Limits) {
  return {
    saveLimit: operation({
      access: 'configure',
      action: 'limit.save',
      needsAllQueues: true,
      summary: 'Set a limit that the queues share whose policies name it',
      description:
        'It is in force for the next start, over all queues and replicas; earlier starts count on.',
      in: { ...ofLimit, ...previewable, ...withOrder(limitSettingsShape, 'a limit') },
      out: answers(shownLimitShape, 'The limit'),
      errors: ['too-many-limits'],
      perform: ({ limit, order, dryRun }) =>
        dryRun ? limits.preview(limit, order) : limits.put(limit, order),
      report: { line: 'Limit stored', fields },
    }),
    listLimits: operation({
      access: 'read',
      summary: 'List the limits that queues share',
      description: 'With how much of each is in use.',
      in: {},
      out: answers(
        object('Limits', {
          total: required(integer(0), 'How many there are'),
          limits: required(listOf(shownLimitShape), 'The limits, by name'),
        }),
        'The limits',
      ),
      perform: async () => {
        const listed = await limits.list();
        return { total: listed.length, limits: listed };
      },
    }),
    readLimit: operation({
      access: 'read',
      summary: 'Read a limit that queues share',
      description: 'With how much of it is in use.',
      in: ofLimit,
      out: answers(shownLimitShape, 'The limit'),
      errors: ['limit-not-found'],
      perform: ({ limit }) => limits.read(limit),
    }),
    listQueuesAtLimit: operation({
      access: 'read',
      summary: 'List the queues that run calls under a limit, or wait for room',
      description: 'Queues that the token may not use are left out.',
      in: ofLimit,
      out: answers(
        object('QueuesAtLimit', {
          queues: required(listOf(queueAtLimitShape), 'The queues, by name'),
        }),
        'The queues',
      ),
      errors: ['limit-not-found'],
      perform: async ({ limit }, { caller }) => {
        const queues = await limits.queuesAt(limit);
        return { queues: queues.filter(({ queue }) => caller.mayUse(queue)) };
      },
    }),
    removeLimit: operation({
      access: 'configure',
      action: 'limit.remove',
      needsAllQueues: true,
      summary: 'Remove a limit that no policy names',
      description: 'Calls that started under it run on.',
      in: ofLimit,
      out: done('The limit is removed'),
      errors: ['limit-not-found', 'limit-in-use'],
      perform: ({ limit }) => limits.remove(limit),
      report: { line: 'Limit removed', fields },
    }),
  };
}
