import type { RedriveInput } from '../../domain/jobs/redrive.ts';
import type { Redrives } from '../jobs/redrives.ts';
import { repairReport } from './bulk-repair-operations.ts';
import type { InQueue, Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

/** Brings letters of a dead letter queue back. */
export function redriveOperations(redrives: Redrives) {
  return {
    redrive: operation({
      id: 'redriveJobs',
      access: 'operate',
      action: 'jobs.redrive',
      queuesOf: ({ order: { to } }: InQueue & Ordered<RedriveInput>) =>
        to === undefined ? [] : [to],
      report: {
        ...repairReport,
        line: 'Letters brought back',
        fields: (result, { order: { to } }) => ({
          ...repairReport.fields(result),
          ...(to !== undefined && { to }),
        }),
      },
      perform: ({ queue, order }: InQueue & Ordered<RedriveInput>, { caller, ending }) =>
        // Letters are added where they go: whether the caller may do that is decided for each.
        redrives.redrive(
          queue,
          order,
          (target) => caller.may('add') && caller.mayUse(target),
          ending,
        ),
    }),
  };
}

export type RedriveOperations = ReturnType<typeof redriveOperations>;
