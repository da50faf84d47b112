import { type RepairKind, bulkRepairShape } from '../../domain/jobs/bulk-repair.ts';
import { type BulkRepairs, type RepairResult, repairResultShape } from '../jobs/bulk-repairs.ts';
import { ofQueue } from './in-queue.ts';
import { withOptionalOrder } from './input.ts';
import { operation } from './operation.ts';
import { answers } from './out.ts';

/** The fields of a repair of many jobs in the log and the audit. */
export const repairFields = ({ matched, done, remaining }: RepairResult) => ({
  matched,
  done,
  remaining,
});

/** One repair for many jobs of a queue. */
export function bulkRepairOperations(repairs: BulkRepairs) {
  const repair = (kind: RepairKind, summary: string, line: string) =>
    operation({
      access: 'operate',
      action: `jobs.${kind}`,
      summary,
      description:
        'Call it again while `remaining` is more than 0. With `dryRun` it counts, and changes nothing.',
      in: { ...ofQueue, ...withOptionalOrder(bulkRepairShape, 'a repair') },
      out: answers(repairResultShape, 'How many jobs are done, and how many remain'),
      perform: ({ queue, order }) => repairs.repair(queue, kind, order),
      report: { line, fields: repairFields },
    });
  return {
    retryJobs: repair(
      'retry',
      'Start many jobs over: failed ones, unless the filter says more',
      'Jobs retried in bulk',
    ),
    promoteJobs: repair(
      'promote',
      'End the delay of many jobs, so that they can start now',
      'Jobs promoted in bulk',
    ),
    cleanJobs: repair(
      'clean',
      'Remove many jobs: finished ones, unless the filter says more',
      'Jobs removed in bulk',
    ),
    cancelJobs: repair('cancel', 'Cancel many jobs that have not ended', 'Jobs cancelled in bulk'),
  } as const satisfies Record<`${RepairKind}Jobs`, unknown>;
}
