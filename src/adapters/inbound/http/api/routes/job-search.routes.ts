import type { JobSearch } from '../../../../../application/jobs/job-search.ts';
import { readJobJson, type ReadJobJson } from '../../../../../domain/jobs/job-json.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { jobSearchAnswer } from '../schemas/answer-shapes.ts';
import { jobSearchQuery } from '../schemas/query-schemas.ts';

/** The search of jobs. Its path looks like that of a job, and must precede it. */
export function jobSearchRoutes(
  search: JobSearch,
  turns: EventLoopTurns,
  queuePrefix: string,
): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/search',
      auth: 'api',
      operationId: 'searchJobs',
      tag: 'Jobs',
      summary: 'Search the jobs of a queue, some in each call',
      replies: {
        200: jsonContent(jobSearchAnswer, 'The matching jobs among those that were examined'),
      },
      query: jobSearchQuery,
      handle: async ({ parameters, query: { cursor = null, length, ...sent } }) => {
        const filter = Object.fromEntries(
          Object.entries(sent).filter(([, value]) => value !== undefined),
        );
        const page = await search.search(parameters.queue, { filter, cursor, length });
        return jsonList(
          page.jobs,
          (job) => readJobJson(job, queuePrefix),
          (jobs: readonly ReadJobJson[]) => ({ ...page, jobs }),
          turns,
        );
      },
    }),
  ];
}
