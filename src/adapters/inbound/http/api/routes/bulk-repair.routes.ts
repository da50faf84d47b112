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

const LINES: Readonly<Record<RepairKind, string>> = {
  retry: 'Jobs retried in bulk',
  promote: 'Jobs promoted in bulk',
  clean: 'Jobs removed in bulk',
  cancel: 'Jobs cancelled in bulk',
};

/** One repair for many jobs of a queue. */
export function bulkRepairRoutes(repairs: BulkRepairs): readonly Route[] {
  return REPAIRS.map(([kind, operationId, summary]) =>
    route({
      method: 'POST',
      path: `/queues/:queue/${kind}`,
      access: 'operate',
      operationId,
      action: `jobs.${kind}`,
      tag: 'Queues',
      summary,
      description:
        'Call it again while `remaining` is more than 0. With `dryRun` it counts, and changes nothing.',
      replies: { 200: jsonContent(repairAnswer, 'How many jobs are done, and how many remain') },
      body: bulkRepairBody,
      handle: async ({ parameters, body }) => {
        const result = await repairs.repair(parameters.queue, kind, body);
        const { matched, done, remaining, samples } = result;
        const reply = json(result);
        // Only a dry run has samples.
        if (samples !== undefined) return reply;
        return { line: LINES[kind], fields: { matched, done, remaining }, reply };
      },
    }),
  );
}
