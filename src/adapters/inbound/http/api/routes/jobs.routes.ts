import type { JobOperations } from '../../../../../application/operations/job-operations.ts';
import type { AddedJobs } from '../../../../../application/operations/shown-adds.ts';
import type { JobInput } from '../../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import { addedJobs } from '../added-jobs.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { byHolder } from '../by-holder.ts';
import { replayedHeaders } from '../idempotency-key.ts';
import { route, type Call, type Route } from '../route.ts';
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
    operation: 'readData',
    summary: 'Read the data of a job, whole or in parts',
    description:
      'The bytes as they were sent. With the header `Range` a part of them is read, so that ' +
      'large data need not come at once.',
  },
  {
    name: 'returnvalue',
    operation: 'readReturnValue',
    summary: 'Read what the endpoint of a job answered, whole or in parts',
    description:
      'The bytes as the endpoint answered them. With the header `Range` a part of them is read.',
  },
] as const;

type AddJobsCall = Call<{ readonly queue: QueueName }, readonly JobInput[], object>;

/** Specification, "Queue and job endpoints". */
export function jobRoutes(jobs: JobOperations, turns: EventLoopTurns): readonly Route[] {
  const adding = {
    method: 'POST',
    tag: 'Jobs',
    replies: {
      200: jsonContent(addedJobsAnswer, 'The stored jobs, in the order of the request'),
      202: jsonContent(addedJobsAnswer, 'The stored job, which did not end in the preferred time'),
    },
    errors: ['request-too-large', 'queue-full'],
    body: jobsBody,
    isRepeatable: true,
    mayWait: true,
    input: ({ parameters: { queue }, body, wait }: AddJobsCall) => ({
      queue,
      order: body,
      wait: wait === undefined ? undefined : wait * 1000,
    }),
    reply: ({ jobs, isRepeated, awaited }: AddedJobs) => {
      const replayed = replayedHeaders(isRepeated);
      if (awaited === undefined) return addedJobs(jobs, turns, { status: 200, headers: replayed });
      const headers = { ...replayed, 'Preference-Applied': `wait=${awaited.wait / 1000}` };
      return addedJobs(jobs, turns, { status: awaited.hasEnded ? 200 : 202, headers });
    },
  } as const;

  return [
    route({
      ...adding,
      path: '/queues/:queue/jobs',
      operation: jobs.add,
      summary: 'Add jobs to a queue: all of them, or none',
      description:
        'An add is atomic, and its jobs are numbered in their order. Send an `Idempotency-Key` so ' +
        'that a repetition adds nothing.',
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs',
      operation: jobs.list,
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
      reply: ({ counts, jobs: pieces, start, length }) =>
        jsonList(pieces, (page) => ({ counts, jobs: page, start, length }), turns),
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId',
      operation: jobs.read,
      tag: 'Jobs',
      summary: 'Read a job',
      description:
        'The job as its queue has it now, with its state. Large data and return values are read ' +
        'in parts from their own paths.',
      replies: { 200: jsonContent(anyOf(jobAnswer, jobSummaryAnswer), 'The job') },
      errors: ['job-not-found'],
      errorStyle: 'json',
      query: jobQuery,
    }),
    ...JOB_VALUES.map(({ name, operation, summary, description }) =>
      route({
        method: 'GET',
        path: `/queues/:queue/jobs/:jobId/${name}`,
        operation: jobs[operation],
        tag: 'Jobs',
        summary,
        description,
        replies: {
          200: jsonContent(anyJson, 'The value, as JSON'),
          206: { ...jsonContent(anyJson, 'The bytes of the `Range`'), schema: {} },
        },
        errors: ['job-not-found', 'range-not-satisfiable'],
        takesRange: true,
        reply: (text, { range }) => jsonInRange(text, range, turns),
      }),
    ),
    route({
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/progress',
      operation: jobs.updateProgress,
      tag: 'Jobs',
      summary: 'Report the progress of a job while it is called for',
      description:
        'Send the token of the call, as the job has it. The progress is any JSON value, and ' +
        'appears in events and in the job.',
      replies: { 200: okContent('The progress is stored') },
      errors: ['request-too-large'],
      body: progressBody,
      input: byHolder,
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/logs',
      operation: jobs.addLog,
      tag: 'Jobs',
      summary: 'Add a line to the log of a job while it is called for',
      description:
        'Send the token of the call, as the job has it. A job keeps its latest lines, a thousand ' +
        'unless it says more.',
      replies: { 200: okContent('The line is stored') },
      errors: ['request-too-large'],
      body: logBody,
      input: byHolder,
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/logs',
      operation: jobs.readLogs,
      tag: 'Jobs',
      summary: 'Read the log of a job',
      description:
        'Lines come in the order in which they were added; `start` and `length` choose some.',
      replies: { 200: jsonContent(jobLogsAnswer, 'A page of the lines') },
      errors: ['job-not-found'],
      query: jobLogsQuery,
      reply: ({ count, logs: pieces }) => jsonList(pieces, (logs) => ({ count, logs }), turns),
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/attempts',
      operation: jobs.readAttempts,
      tag: 'Jobs',
      summary: 'Read the last attempts of a job and their outcomes',
      description:
        'Each attempt has its outcome, the status of the answer and, for tokens with the right ' +
        '`data`, the beginning of the answer.',
      replies: { 200: jsonContent(jobAttemptsAnswer, 'The attempts') },
      errors: ['job-not-found'],
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/callback/resend',
      operation: jobs.resendCallback,
      tag: 'Jobs',
      summary: 'Send the callback of a job again',
      description:
        'The same message with the same `webhook-id`, with all its attempts before it. A callback ' +
        'that added a job to a queue is 404.',
      replies: { 200: okContent('The callback will be sent') },
      errors: ['job-not-found', 'callback-not-found'],
    }),
    // The prose of the specification posts here (rule 2).
    route({
      ...adding,
      path: '/queues/:queue',
      operation: jobs.addToQueue,
      summary: 'Add jobs to a queue, as the path with /jobs does',
      description: 'An older path of the same operation. New clients use the path with /jobs.',
    }),
  ];
}
