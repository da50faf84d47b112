import { redriveShape } from '../../domain/jobs/redrive.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Shape } from '../../domain/values/shape.ts';
import { repairResultShape } from '../jobs/bulk-repairs.ts';
import type { Redrives } from '../jobs/redrives.ts';
import { repairFields } from './bulk-repair-operations.ts';
import { ofQueue } from './in-queue.ts';
import { withOptionalOrder } from './input.ts';
import { operation } from './operation.ts';
import { answers } from './out.ts';

/** Brings letters of a dead letter queue back. */
export function redriveOperations(redrives: Redrives, queueName: Shape<QueueName>) {
  return {
    redriveJobs: operation({
      access: 'operate',
      action: 'jobs.redrive',
      summary: 'Bring letters of a dead letter queue back as the jobs that they were',
      description:
        'Each goes to the queue that it came from, or to `to`, with the options of its original. `filter` compares the ' +
        'reason, cause, status and group with those of the original. Call it again while `remaining` is more than 0. ' +
        'With `dryRun` it counts, and changes nothing.',
      in: { ...ofQueue, ...withOptionalOrder(redriveShape(queueName), 'a redrive') },
      out: answers(repairResultShape, 'How many letters are back, and how many remain'),
      queuesOf: ({ order: { to } }) => (to === undefined ? [] : [to]),
      perform: ({ queue, order }, { caller, ending }) =>
        // Letters are added where they go: whether the caller may do that is decided for each.
        redrives.redrive(
          queue,
          order,
          (target) => caller.may('add') && caller.mayUse(target),
          ending,
        ),
      report: {
        line: 'Letters brought back',
        fields: (result, { order: { to } }) => ({
          ...repairFields(result),
          ...(to !== undefined && { to }),
        }),
      },
    }),
  };
}
