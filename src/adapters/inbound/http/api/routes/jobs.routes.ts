import type { Caller } from '../../../../../domain/access/caller.ts';
import type { AwaitedAdds } from '../../../../../application/jobs/awaited-adds.ts';
import type { GroupListing } from '../../../../../application/jobs/group-listing.ts';
import type { JobCallbacks } from '../../../../../application/deliveries/job-callbacks.ts';
import type { Jobs, JobsPage } from '../../../../../application/jobs/jobs.ts';
import { attemptJson } from '../../../../../domain/attempts/attempt-record.ts';
import type { Callback } from '../../../../../domain/jobs/callback.ts';
import { readJobJson } from '../../../../../domain/jobs/job-json.ts';
import type { Job, JobInput } from '../../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import { addedJobs, type ShowAddedJob } from '../added-jobs.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json, OK, type Reply, type ReplyHeaders } from '../../messages/reply.ts';
import { requireCallbackQueues } from '../callback-queues.ts';
import { route, type Call, type Route } from '../route.ts';
import { addedJobShown, shownTo } from '../shown-values.ts';
import {
  addedJobsAnswer,
  jobAttemptsAnswer,
  jobAnswer,
  jobLogsAnswer,
  jobsPageAnswer,
} from '../schemas/answer-shapes.ts';
import { jobsBody, logBody, progressBody } from '../schemas/body-formats.ts';
import { jobSummaryAnswer, summariesPageAnswer } from '../schemas/summary-answers.ts';
import { anyOf } from '../schemas/any-of.ts';
import { anyJson } from '../../../../../domain/values/shape.ts';
import { jsonInRange } from '../../messages/byte-range.ts';
import { jobLogsQuery, jobQuery, jobsPageQuery } from '../schemas/query-schemas.ts';

/** The values of a job that can be read separately. */
const JOB_VALUES = [
  {
    name: 'data',
    operationId: 'readJobData',
    summary: 'Read the data of a job, whole or in parts',
    description:
      'The bytes as they were sent. With the header `Range` a part of them is read, so that ' +
      'large data need not come at once.',
  },
  {
    name: 'returnvalue',
    operationId: 'readReturnValue',
    summary: 'Read what the endpoint of a job answered, whole or in parts',
    description:
      'The bytes as the endpoint answered them. With the header `Range` a part of them is read.',
  },
] as const;

type AddJobsCall = Call<{ readonly queue: QueueName }, readonly JobInput[], object>;

const REPLAYED: ReplyHeaders = { 'Idempotent-Replayed': 'true' };

/** The callbacks that the jobs of an add name. */
function callbacksIn(jobs: readonly JobInput[]): readonly (Callback | undefined)[] {
  return jobs.map(({ opts }) => opts?.callback);
}

function headersOf(isRepeated: boolean): ReplyHeaders {
  return isRepeated ? REPLAYED : {};
}

/** How a caller sees the jobs of its add. Undefined when it may see all their values. */
function shownAdds(caller: Caller, hasEnded = false): ShowAddedJob | undefined {
  if (caller.may('data')) return undefined;
  return (shown, job) => addedJobShown(shown, job, hasEnded);
}

function pageReply<Item>(
  { counts, jobs, start, length }: JobsPage<Item>,
  show: (item: Item) => object,
  turns: EventLoopTurns,
): Promise<Reply> {
  const around = (page: readonly object[]): object => ({ counts, jobs: page, start, length });
  return jsonList(jobs, show, around, turns);
}

/** Specification, "Queue and job endpoints". */
export function jobRoutes(
  jobs: Jobs,
  groupListing: GroupListing,
  awaitedAdds: AwaitedAdds,
  callbacks: JobCallbacks,
  turns: EventLoopTurns,
  queuePrefix: string,
): readonly Route[] {
  const add = async (call: AddJobsCall): Promise<Reply> => {
    const { parameters, body, identity, wait, trace, caller } = call;
    const { queue } = parameters;
    requireCallbackQueues(caller, callbacksIn(body));
    const [first] = body;
    if (wait !== undefined && first !== undefined && body.length === 1) {
      return addAndWait(call, first, wait);
    }
    if (identity === undefined) {
      const added = await jobs.add(queue, body, trace);
      return addedJobs(added, queuePrefix, turns, { show: shownAdds(caller) });
    }
    const added = await jobs.addOnce(queue, body, identity, trace);
    const headers = headersOf(added.isRepeated);
    return addedJobs(added.jobs, queuePrefix, turns, { headers, show: shownAdds(caller) });
  };

  const addAndWait = async (
    { parameters: { queue }, identity, ending, trace, caller }: AddJobsCall,
    input: JobInput,
    seconds: number,
  ): Promise<Reply> => {
    const request = { identity, context: trace, wait: seconds * 1000, signal: ending() };
    const { job, hasEnded, isRepeated } = await awaitedAdds.add(queue, input, request);
    const headers = { ...headersOf(isRepeated), 'Preference-Applied': `wait=${seconds}` };
    const show = shownAdds(caller, hasEnded);
    const status = hasEnded ? 200 : 202;
    // Others may have changed the data of the job in the meantime.
    const shownJob = show === undefined ? job : { ...job, data: input.data };
    return addedJobs([shownJob], queuePrefix, turns, { status, headers, show });
  };

  const shown = (caller: Caller, job: Job): object =>
    shownTo(caller, readJobJson(job, queuePrefix));

  const withCallback = async (caller: Caller, job: Job): Promise<object> => {
    const callback = await callbacks.of(job);
    return { ...shown(caller, job), ...(callback && { callback }) };
  };

  const adding = {
    method: 'POST',
    access: 'add',
    tag: 'Jobs',
    replies: {
      200: jsonContent(addedJobsAnswer, 'The stored jobs, in the order of the request'),
      202: jsonContent(addedJobsAnswer, 'The stored job, which did not end in the preferred time'),
    },
    errors: ['request-too-large', 'queue-full'],
    body: jobsBody,
    jobsOf: (jobs: readonly JobInput[]) => jobs.length,
    isRepeatable: true,
    mayWait: true,
    handle: add,
  } as const;

  return [
    route({
      ...adding,
      path: '/queues/:queue/jobs',
      operationId: 'addJobs',
      summary: 'Add jobs to a queue: all of them, or none',
      description:
        'An add is atomic, and its jobs are numbered in their order. Send an `Idempotency-Key` so ' +
        'that a repetition adds nothing.',
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs',
      access: 'read',
      operationId: 'listJobs',
      tag: 'Jobs',
      summary: 'List the jobs of a queue',
      description:
        'Pages go by position, state by state. With `view=summary` jobs come without what clients ' +
        'put into them. With `group` a page has the jobs of that group alone, and the counts of the ' +
        'queue; it goes through at most 100,000 jobs.',
      replies: {
        200: jsonContent(anyOf(jobsPageAnswer, summariesPageAnswer), 'A page of the jobs'),
      },
      errors: ['queue-empty'],
      query: jobsPageQuery,
      handle: async ({ parameters, query, caller }) => {
        const { queue } = parameters;
        const { view, group, ...page } = query;
        if (view === 'summary') {
          const summaries = await (group === undefined
            ? jobs.listSummaries(queue, page)
            : groupListing.listSummaries(queue, group, page));
          return pageReply(summaries, (summary) => shownTo(caller, summary), turns);
        }
        const listed = await (group === undefined
          ? jobs.list(queue, page)
          : groupListing.list(queue, group, page));
        return pageReply(listed, (job) => shown(caller, job), turns);
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId',
      access: 'read',
      operationId: 'readJob',
      tag: 'Jobs',
      summary: 'Read a job',
      description:
        'The job as its queue has it now, with its state. Large data and return values are read ' +
        'in parts from their own paths.',
      replies: { 200: jsonContent(anyOf(jobAnswer, jobSummaryAnswer), 'The job') },
      errors: ['job-not-found'],
      errorStyle: 'json',
      query: jobQuery,
      handle: async ({ parameters: { queue, jobId }, query: { view }, caller }) =>
        json(
          view === 'summary'
            ? shownTo(caller, await jobs.readSummary(queue, jobId))
            : await withCallback(caller, await jobs.read(queue, jobId)),
        ),
    }),
    ...JOB_VALUES.map(({ name, operationId, summary, description }) =>
      route({
        method: 'GET',
        path: `/queues/:queue/jobs/:jobId/${name}`,
        access: 'data',
        operationId,
        tag: 'Jobs',
        summary,
        description,
        replies: {
          200: jsonContent(anyJson, 'The value, as JSON'),
          206: { ...jsonContent(anyJson, 'The bytes of the `Range`'), schema: {} },
        },
        errors: ['job-not-found', 'range-not-satisfiable'],
        takesRange: true,
        handle: async ({ parameters: { queue, jobId }, range }) =>
          jsonInRange(await jobs.readValue(queue, jobId, name), range, turns),
      }),
    ),
    route({
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/progress',
      access: 'job-token',
      operationId: 'updateProgress',
      tag: 'Jobs',
      summary: 'Report the progress of a job while it is called for',
      description:
        'Send the token of the call, as the job has it. The progress is any JSON value, and ' +
        'appears in events and in the job.',
      replies: { 200: okContent('The progress is stored') },
      errors: ['request-too-large'],
      body: progressBody,
      handle: async ({ parameters, token, body }) => {
        await jobs.updateProgress(parameters.queue, parameters.jobId, token, body);
        return OK;
      },
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/logs',
      access: 'job-token',
      operationId: 'addLog',
      tag: 'Jobs',
      summary: 'Add a line to the log of a job while it is called for',
      description:
        'Send the token of the call, as the job has it. A job keeps its latest lines, a thousand ' +
        'unless it says more.',
      replies: { 200: okContent('The line is stored') },
      errors: ['request-too-large'],
      body: logBody,
      handle: async ({ parameters, token, body }) => {
        await jobs.addLog(parameters.queue, parameters.jobId, token, body);
        return OK;
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/logs',
      access: 'data',
      operationId: 'readLogs',
      tag: 'Jobs',
      summary: 'Read the log of a job',
      description:
        'Lines come in the order in which they were added; `start` and `length` choose some.',
      replies: { 200: jsonContent(jobLogsAnswer, 'A page of the lines') },
      errors: ['job-not-found'],
      query: jobLogsQuery,
      handle: async ({ parameters: { queue, jobId }, query: { start, length } }) => {
        const { count, logs: pieces } = await jobs.logs(queue, jobId, start, length);
        return jsonList(
          pieces,
          (line) => line,
          (logs) => ({ count, logs }),
          turns,
        );
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/attempts',
      access: 'read',
      operationId: 'readAttempts',
      tag: 'Jobs',
      summary: 'Read the last attempts of a job and their outcomes',
      description:
        'Each attempt has its outcome, the status of the answer and, for tokens with the right ' +
        '`data`, the beginning of the answer.',
      replies: { 200: jsonContent(jobAttemptsAnswer, 'The attempts') },
      errors: ['job-not-found'],
      handle: async ({ parameters: { queue, jobId }, caller }) => {
        const { count, attempts, group } = await jobs.attempts(queue, jobId);
        return json({
          count,
          attempts: attempts.map((each) => shownTo(caller, attemptJson(each, group))),
        });
      },
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/callback/resend',
      access: 'operate',
      operationId: 'resendCallback',
      action: 'callback.resend',
      tag: 'Jobs',
      summary: 'Send the callback of a job again',
      description:
        'The same message with the same `webhook-id`, with all its attempts before it. A callback ' +
        'that added a job to a queue is 404.',
      replies: { 200: okContent('The callback will be sent') },
      errors: ['job-not-found', 'callback-not-found'],
      handle: async ({ parameters: { queue, jobId } }) => {
        await callbacks.resend(await jobs.read(queue, jobId));
        return { line: 'Callback sent again by a client', reply: OK };
      },
    }),
    // The prose of the specification posts here (rule 2).
    route({
      ...adding,
      path: '/queues/:queue',
      operationId: 'addJobsToQueue',
      summary: 'Add jobs to a queue, as the path with /jobs does',
      description: 'An older path of the same operation. New clients use the path with /jobs.',
    }),
  ];
}
