import type { JobSearchOperations } from '../../../../../application/operations/job-search-operations.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { jobSearchAnswer } from '../schemas/answer-shapes.ts';
import { anyOf } from '../schemas/any-of.ts';
import { summarySearchAnswer } from '../schemas/summary-answers.ts';
import { jobSearchQuery } from '../schemas/query-schemas.ts';

/** The search for jobs. Its path looks like that of a job, so it must come before it. */
export function jobSearchRoutes(
  search: JobSearchOperations,
  turns: EventLoopTurns,
): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/search',
      operation: search.search,
      tag: 'Jobs',
      summary: 'Search the jobs of a queue, some in each call',
      description:
        'Each call looks at a bounded number of jobs and answers with a cursor; call again with ' +
        'it until it is null. All conditions that are given must hold.',
      replies: {
        200: jsonContent(
          anyOf(jobSearchAnswer, summarySearchAnswer),
          'The matching jobs among those that were examined',
        ),
      },
      query: jobSearchQuery,
      reply: (page) => jsonList(page.jobs, (jobs) => ({ ...page, jobs }), turns),
    }),
  ];
}
