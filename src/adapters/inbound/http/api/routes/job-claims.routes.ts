import type { JobClaimOperations } from '../../../../../application/operations/job-claim-operations.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonContent } from '../../messages/operation.ts';
import { claimedJobs } from '../claimed-jobs.ts';
import { route, type Route } from '../route.ts';
import { claimedJobsAnswer } from '../schemas/answer-shapes.ts';
import { jobClaimBody } from '../schemas/body-formats.ts';

/** Claims, for workers that cannot be called. The path must come before those of single jobs: no job has such an id. */
export function jobClaimRoutes(
  claims: JobClaimOperations,
  turns: EventLoopTurns,
): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/queues/:queue/jobs/claim',
      operation: claims.claim,
      tag: 'Jobs',
      summary: 'Take jobs to process, instead of being called for them',
      description:
        'The jobs are yours until their locks end: report on each with its own token, and extend ' +
        'the lock of a long one. With `wait` the call stays open until a job comes.',
      replies: { 200: jsonContent(claimedJobsAnswer, 'The jobs; none when the time is up') },
      body: jobClaimBody,
      reply: (claimed) => claimedJobs(claimed, turns),
    }),
  ];
}
