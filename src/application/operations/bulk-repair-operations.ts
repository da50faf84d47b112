import { type RepairKind, bulkRepairShape } from '../../domain/jobs/bulk-repair.ts';
import { type BulkRepairs, type RepairResult, repairResultShape } from '../jobs/bulk-repairs.ts';
import { ofQueue } from './in-queue.ts';
import { order } from './input.ts';
import { operation } from './operation.ts';
import { answers } from './out.ts';

/** The fields of a repair of many jobs in the log and the audit. */
export const repairReport = {
  fields: ({ matched, done, remaining }: RepairResult) => ({ matched, done, remaining }),
  // Only a dry run has samples.
  hasChanged: ({ samples }: RepairResult) => samples === undefined,
};

/** One repair for many jobs of a queue. */
export function bulkRepairOperations(repairs: BulkRepairs) {
  const repair = (kind: RepairKind, id: string, summary: string, line: string) =>
    operation({
      id,
      access: 'operate',
      action: `jobs.${kind}`,
      summary,
      description:
        'Call it again while `remaining` is more than 0. With `dryRun` it counts, and changes nothing.',
      in: {
        ...ofQueue,
        order: order(bulkRepairShape, 'a repair as a JSON object', { whenAbsent: {} }),
      },
      out: answers(repairResultShape, 'How many jobs are done, and how many remain'),
      perform: ({ queue, order }) => repairs.repair(queue, kind, order),
      report: { line, ...repairReport },
    });
  return {
    retry: repair(
      'retry',
      'retryJobs',
      'Start many jobs over: failed ones, unless the filter says more',
      'Jobs retried in bulk',
    ),
    promote: repair(
      'promote',
      'promoteJobs',
      'End the delay of many jobs, so that they can start now',
      'Jobs promoted in bulk',
    ),
    clean: repair(
      'clean',
      'cleanJobs',
      'Remove many jobs: finished ones, unless the filter says more',
      'Jobs removed in bulk',
    ),
    cancel: repair(
      'cancel',
      'cancelJobs',
      'Cancel many jobs that have not ended',
      'Jobs cancelled in bulk',
    ),
  } as const satisfies Record<RepairKind, unknown>;
}
