import type { BulkRepairs } from '../../../../../application/jobs/bulk-repairs.ts';
import type { RepairKind } from '../../../../../domain/jobs/bulk-repair.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { repairAnswer } from '../schemas/answer-shapes.ts';
import { bulkRepairBody } from '../schemas/body-formats.ts';

const REPAIRS: readonly (readonly [kind: RepairKind, operationId: string, summary: string])[] = [
  ['retry', 'retryJobs', 'Start many jobs over: failed ones, unless the filter says more'],
  ['promote', 'promoteJobs', 'End the delay of many jobs, so that they can start now'],
  ['clean', 'cleanJobs', 'Remove many jobs: finished ones, unless the filter says more'],
  ['cancel', 'cancelJobs', 'Cancel many jobs that have not ended'],
];

/** The same repair for many jobs of a queue. */
export function bulkRepairRoutes(repairs: BulkRepairs): readonly Route[] {
  return REPAIRS.map(([kind, operationId, summary]) =>
    route({
      method: 'POST',
      path: `/queues/:queue/${kind}`,
      auth: 'api',
      operationId,
      tag: 'Queues',
      summary,
      replies: { 200: jsonContent(repairAnswer, 'How many jobs are done, and how many remain') },
      body: bulkRepairBody,
      handle: async ({ parameters, body }) =>
        json(await repairs.repair(parameters.queue, kind, body)),
    }),
  );
}
