import type { JobSearch } from '../../../../../application/jobs/job-search.ts';
import { readJobJson } from '../../../../../domain/jobs/job-json.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { shownTo } from '../shown-values.ts';
import { jobSearchAnswer } from '../schemas/answer-shapes.ts';
import { anyOf } from '../schemas/any-of.ts';
import { summarySearchAnswer } from '../schemas/summary-answers.ts';
import { jobSearchQuery } from '../schemas/query-schemas.ts';

/** The search for jobs. Its path looks like that of a job, so it must come before it. */
export function jobSearchRoutes(
  search: JobSearch,
  turns: EventLoopTurns,
  queuePrefix: string,
): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/search',
      access: 'read',
      operationId: 'searchJobs',
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
      parameterRights: { data: 'data' },
      handle: async ({
        parameters: { queue },
        query: { cursor = null, length, view, ...sent },
        caller,
      }) => {
        const filter = Object.fromEntries(
          Object.entries(sent).filter(([, value]) => value !== undefined),
        );
        const query = { filter, cursor, length };
        if (view === 'summary') {
          const page = await search.summarize(queue, query);
          const around = (jobs: readonly object[]): object => ({ ...page, jobs });
          return jsonList(page.jobs, (job) => shownTo(caller, job), around, turns);
        }
        const page = await search.search(queue, query);
        const around = (jobs: readonly object[]): object => ({ ...page, jobs });
        return jsonList(
          page.jobs,
          (job) => shownTo(caller, readJobJson(job, queuePrefix)),
          around,
          turns,
        );
      },
    }),
  ];
}
