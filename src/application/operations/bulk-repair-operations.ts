import type { BulkRepairInput, RepairKind } from '../../domain/jobs/bulk-repair.ts';
import type { BulkRepairs, RepairResult } from '../jobs/bulk-repairs.ts';
import type { InQueue, Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

/** The fields of a repair of many jobs in the log and the audit. */
export const repairReport = {
  fields: ({ matched, done, remaining }: RepairResult) => ({ matched, done, remaining }),
  // Only a dry run has samples.
  hasChanged: ({ samples }: RepairResult) => samples === undefined,
};

/** One repair for many jobs of a queue. */
export function bulkRepairOperations(repairs: BulkRepairs) {
  const repair = (kind: RepairKind, id: string, line: string) =>
    operation({
      id,
      access: 'operate',
      action: `jobs.${kind}`,
      report: {
        line,
        ...repairReport,
      },
      perform: ({ queue, order }: InQueue & Ordered<BulkRepairInput>) =>
        repairs.repair(queue, kind, order),
    });
  return {
    retry: repair('retry', 'retryJobs', 'Jobs retried in bulk'),
    promote: repair('promote', 'promoteJobs', 'Jobs promoted in bulk'),
    clean: repair('clean', 'cleanJobs', 'Jobs removed in bulk'),
    cancel: repair('cancel', 'cancelJobs', 'Jobs cancelled in bulk'),
  } as const satisfies Record<RepairKind, unknown>;
}

export type BulkRepairOperations = ReturnType<typeof bulkRepairOperations>;
