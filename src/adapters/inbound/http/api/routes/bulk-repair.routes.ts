import type { BulkRepairOperations } from '../../../../../application/operations/bulk-repair-operations.ts';
import type { RepairKind } from '../../../../../domain/jobs/bulk-repair.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { repairAnswer } from '../schemas/answer-shapes.ts';
import { bulkRepairBody } from '../schemas/body-formats.ts';

const REPAIRS: readonly (readonly [kind: RepairKind, summary: string])[] = [
  ['retry', 'Start many jobs over: failed ones, unless the filter says more'],
  ['promote', 'End the delay of many jobs, so that they can start now'],
  ['clean', 'Remove many jobs: finished ones, unless the filter says more'],
  ['cancel', 'Cancel many jobs that have not ended'],
];

/** One repair for many jobs of a queue. */
export function bulkRepairRoutes(repairs: BulkRepairOperations): readonly Route[] {
  return REPAIRS.map(([kind, summary]) =>
    route({
      method: 'POST',
      path: `/queues/:queue/${kind}`,
      operation: repairs[kind],
      tag: 'Queues',
      summary,
      description:
        'Call it again while `remaining` is more than 0. With `dryRun` it counts, and changes nothing.',
      replies: { 200: jsonContent(repairAnswer, 'How many jobs are done, and how many remain') },
      body: bulkRepairBody,
    }),
  );
}
