import type { Jobs } from '../../../../../application/jobs/jobs.ts';
import type { JobInput } from '../../../../../domain/job.ts';
import { addedJobs } from '../added-jobs.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { json, OK, type Reply } from '../../messages/reply.ts';
import { route, type Call, type Route } from '../route.ts';
import { jobsBody, logBody, progressBody } from '../schemas/body-formats.ts';
import { jobLogsQuery, jobsPageQuery } from '../schemas/query-schemas.ts';

type AddCall = Call<{ readonly queue: string }, readonly JobInput[], object>;

/** Specification, "Queue and job endpoints". */
export function jobRoutes(jobs: Jobs, turns: EventLoopTurns): readonly Route[] {
  const add = async ({ parameters, body }: AddCall): Promise<Reply> =>
    addedJobs(await jobs.add(parameters.queue, body), turns);

  return [
    route({
      method: 'POST',
      path: '/queues/:queue/jobs',
      auth: 'api',
      body: jobsBody,
      handle: add,
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs',
      auth: 'api',
      query: jobsPageQuery,
      handle: async ({ parameters, query }) => {
        const { counts, jobs: pieces, start, length } = await jobs.list(parameters.queue, query);
        return jsonList(pieces, (page) => ({ counts, jobs: page, start, length }), turns);
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId',
      auth: 'api',
      errors: 'json',
      handle: async ({ parameters }) => json(await jobs.read(parameters.queue, parameters.jobId)),
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/progress',
      auth: 'job',
      body: progressBody,
      handle: async ({ parameters, token, body }) => {
        await jobs.updateProgress(parameters.queue, parameters.jobId, token, body);
        return OK;
      },
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/logs',
      auth: 'job',
      body: logBody,
      handle: async ({ parameters, token, body }) => {
        await jobs.addLog(parameters.queue, parameters.jobId, token, body);
        return OK;
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/logs',
      auth: 'api',
      query: jobLogsQuery,
      handle: async ({ parameters: { queue, jobId }, query: { start, length } }) => {
        const { count, logs: pieces } = await jobs.logs(queue, jobId, start, length);
        return jsonList(pieces, (logs) => ({ count, logs }), turns);
      },
    }),
    // The narrative of the specification posts here (rule 2).
    route({ method: 'POST', path: '/queues/:queue', auth: 'api', body: jobsBody, handle: add }),
  ];
}
