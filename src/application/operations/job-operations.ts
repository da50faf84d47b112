import type { Caller } from '../../domain/access/caller.ts';
import { shownTo } from '../../domain/access/visible.ts';
import { attemptJson } from '../../domain/attempts/attempt-record.ts';
import { progressTooLarge, MAX_REPORT_BODY } from '../../domain/attempts/job-report.ts';
import type { Callback } from '../../domain/jobs/callback.ts';
import { jobFilterFields } from '../../domain/jobs/job-filter.ts';
import { readJobJson } from '../../domain/jobs/job-json.ts';
import type { JobInput } from '../../domain/jobs/job.ts';
import { anyJson, object, required, integer, listOf, string } from '../../domain/values/shape.ts';
import type { JobCallbacks } from '../deliveries/job-callbacks.ts';
import type { JobSearch } from '../jobs/job-search.ts';
import type { JobWaits } from '../jobs/job-waits.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { LetterOrigins } from '../jobs/letter-origins.ts';
import type { JobSteps } from '../steps/job-steps.ts';
import { anyOf } from './answers/any-of.ts';
import {
  addedJobsAnswer,
  jobsPageFields,
  jobAnswer,
  jobAttemptsAnswer,
} from './answers/job-answers.ts';
import { jobSummaryAnswer, summariesPageAnswer } from './answers/summary-answers.ts';
import { callbackQueues } from './callback-queues.ts';
import { type InQueue, type Ordered, ofQueue, onJob, byHolder } from './in-queue.ts';
import { given, order } from './input.ts';
import { operation } from './operation.ts';
import { summaryView, textOption, statusList, pageOf } from './options.ts';
import { answers, done } from './out.ts';
import { seenPieces } from './seen-pieces.ts';
import { shownAdds, type Added, type AddedJobs } from './shown-adds.ts';
import type { Way } from './way.ts';

interface AddInput extends InQueue, Ordered<readonly JobInput[]> {
  /** How long (ms) an add of a single job waits for its end; undefined for not at all. */
  readonly wait: number | undefined;
}

interface JobUseCases {
  readonly jobs: Jobs;
  readonly jobSearch: JobSearch;
  readonly jobWaits: JobWaits;
  readonly jobCallbacks: JobCallbacks;
  readonly letterOrigins: LetterOrigins;
  readonly steps: JobSteps;
}

/** Jobs of queues, and what becomes of them. */
export function jobOperations(useCases: JobUseCases, queuePrefix: string) {
  const { jobs, jobSearch: search, jobWaits: waits, jobCallbacks: callbacks } = useCases;
  const { letterOrigins: origins, steps } = useCases;
  const add = async ({ queue, order, wait }: AddInput, way: Way): Promise<Added> => {
    const { identity, trace } = way;
    const [first] = order;
    if (wait !== undefined && first !== undefined && order.length === 1) {
      const request = { identity, context: trace, wait, signal: way.ending() };
      const { job, hasEnded, isRepeated } = await waits.add(queue, first, request);
      return { jobs: [job], isRepeated, awaited: { wait, hasEnded }, sent: order };
    }
    const added = await jobs.addOnce(queue, order, identity, trace);
    return { ...added, awaited: undefined, sent: order };
  };

  const adding = {
    access: 'add',
    in: {
      ...ofQueue,
      order: given<readonly JobInput[]>(),
      /** How long (ms) an add of a single job waits for its end; undefined for not at all. */
      wait: given<number | undefined>(),
    },
    out: answers(addedJobsAnswer, 'The stored jobs, in the order of the request'),
    errors: ['request-too-large', 'queue-full'],
    jobsOf: ({ order }: AddInput) => order.length,
    queuesOf: ({ order }: AddInput) => callbackQueues(callbacksIn(order)),
    perform: add,
    view: (added: Added, caller: Caller): AddedJobs => ({
      jobs: shownAdds(added, caller, queuePrefix),
      isRepeated: added.isRepeated,
      awaited: added.awaited,
    }),
  } as const;

  return {
    addJobs: operation({
      ...adding,
      summary: 'Add jobs to a queue: all of them, or none',
      description:
        'An add is atomic, and its jobs are numbered in their order. Send an `Idempotency-Key` so ' +
        'that a repetition adds nothing.',
    }),
    addJobsToQueue: operation({
      ...adding,
      summary: 'Add jobs to a queue, as the path with /jobs does',
      description: 'An older path of the same operation. New clients use the path with /jobs.',
    }),
    listJobs: operation({
      access: 'read',
      summary: 'List the jobs of a queue',
      description:
        'Pages go by position, state by state. With `view=summary` jobs come without what clients ' +
        'put into them. With `group` a page has the jobs of that group alone, and the counts of the ' +
        'queue; it goes through at most 100,000 jobs.',
      in: {
        ...ofQueue,
        ...summaryView,
        group: textOption(jobFilterFields.group),
        statuses: statusList(),
        ...pageOf('jobs', 10),
      },
      out: answers(
        anyOf(object('JobsPage', jobsPageFields), summariesPageAnswer),
        'A page of the jobs',
      ),
      errors: ['queue-empty'],
      perform: async ({ queue, view, group, ...page }, { caller }) => {
        if (view === 'summary') {
          const summaries = await (group === undefined
            ? jobs.listSummaries(queue, page)
            : search.summariesOfGroup(queue, group, page));
          return { summaries };
        }
        const listed = await (group === undefined
          ? jobs.list(queue, page)
          : search.listOfGroup(queue, group, page));
        const jobsOfPage = await origins.ofPieces(listed.jobs, caller.mayUse);
        return { listed: { ...listed, jobs: jobsOfPage } };
      },
      view: ({ summaries, listed }, caller) =>
        summaries === undefined
          ? {
              ...listed,
              jobs: seenPieces(listed.jobs, ({ job, origin }) =>
                shownTo(caller, readJobJson(job, origin, queuePrefix)),
              ),
            }
          : { ...summaries, jobs: seenPieces(summaries.jobs, (job) => shownTo(caller, job)) },
    }),
    readJob: operation({
      access: 'read',
      summary: 'Read a job',
      description:
        'The job as its queue has it now, with its state. Large data and return values are read ' +
        'in parts from their own paths.',
      in: { ...onJob, ...summaryView },
      out: answers(anyOf(jobAnswer, jobSummaryAnswer), 'The job'),
      errors: ['job-not-found'],
      perform: async ({ queue, jobId, view }, { caller }) => {
        if (view === 'summary') {
          const summary = await jobs.readSummary(queue, jobId);
          return { summary: { ...summary, suspended: await steps.suspended(queue, summary) } };
        }
        const job = await jobs.read(queue, jobId);
        const [callback, [found], suspended] = await Promise.all([
          callbacks.of(job),
          origins.of([job], caller.mayUse),
          steps.suspended(queue, job),
        ]);
        return { job, callback, origin: found?.origin, suspended };
      },
      view: ({ summary, job, callback, origin, suspended }, caller) => {
        if (summary !== undefined) return shownTo(caller, summary);
        const shown = shownTo(caller, { ...readJobJson(job, origin, queuePrefix), suspended });
        return callback === undefined ? shown : { ...shown, callback };
      },
    }),
    readJobData: operation({
      access: 'data',
      summary: 'Read the data of a job, whole or in parts',
      description:
        'The bytes as they were sent. With the header `Range` a part of them is read, so that ' +
        'large data need not come at once.',
      in: onJob,
      out: answers(anyJson, 'The value, as JSON'),
      errors: ['job-not-found'],
      perform: ({ queue, jobId }) => jobs.readValue(queue, jobId, 'data'),
    }),
    readReturnValue: operation({
      access: 'data',
      summary: 'Read what the endpoint of a job answered, whole or in parts',
      description:
        'The bytes as the endpoint answered them. With the header `Range` a part of them is read.',
      in: onJob,
      out: answers(anyJson, 'The value, as JSON'),
      errors: ['job-not-found'],
      perform: ({ queue, jobId }) => jobs.readValue(queue, jobId, 'returnvalue'),
    }),
    updateProgress: operation({
      access: 'job-token',
      summary: 'Report the progress of a job while it is called for',
      description:
        'Send the token of the call, as the job has it. The progress is any JSON value, and ' +
        'appears in events and in the job.',
      in: {
        ...byHolder,
        order: order(anyJson, 'any JSON value', {
          most: MAX_REPORT_BODY,
          tooLarge: progressTooLarge,
        }),
      },
      out: done('The progress is stored'),
      errors: ['request-too-large'],
      perform: ({ queue, jobId, token, order }) => jobs.updateProgress(queue, jobId, token, order),
    }),
    addLog: operation({
      access: 'job-token',
      summary: 'Add a line to the log of a job while it is called for',
      description:
        'Send the token of the call, as the job has it. A job keeps its latest lines, a thousand ' +
        'unless it says more.',
      in: { ...byHolder, order: given<string>() },
      out: done('The line is stored'),
      errors: ['request-too-large'],
      perform: ({ queue, jobId, token, order }) => jobs.addLog(queue, jobId, token, order),
    }),
    readLogs: operation({
      access: 'data',
      summary: 'Read the log of a job',
      description:
        'Lines come in the order in which they were added; `start` and `length` choose some.',
      in: { ...onJob, ...pageOf('lines', 10) },
      out: answers(
        object('JobLogs', {
          count: required(integer(0), 'How many lines the job keeps'),
          logs: required(listOf(string), 'The lines of this page, oldest first'),
        }),
        'A page of the lines',
      ),
      errors: ['job-not-found'],
      perform: ({ queue, jobId, start, length }) => jobs.logs(queue, jobId, start, length),
    }),
    readAttempts: operation({
      access: 'read',
      summary: 'Read the last attempts of a job and their outcomes',
      description:
        'Each attempt has its outcome, the status of the answer and, for tokens with the right ' +
        '`data`, the beginning of the answer.',
      in: onJob,
      out: answers(jobAttemptsAnswer, 'The attempts'),
      errors: ['job-not-found'],
      perform: ({ queue, jobId }) => jobs.attempts(queue, jobId),
      view: ({ count, attempts, ...job }, caller) => ({
        count,
        attempts: attempts.map((each) => shownTo(caller, attemptJson(each, job))),
      }),
    }),
    resendCallback: operation({
      access: 'operate',
      action: 'callback.resend',
      summary: 'Send the callback of a job again',
      description:
        'The same message with the same `webhook-id`, with all its attempts before it. A callback ' +
        'that added a job to a queue is 404.',
      in: onJob,
      out: done('The callback will be sent'),
      errors: ['job-not-found', 'callback-not-found'],
      perform: async ({ queue, jobId }) => callbacks.resend(await jobs.read(queue, jobId)),
      report: { line: 'Callback sent again by a client' },
    }),
  };
}

function* callbacksIn(jobs: readonly JobInput[]): Generator<Callback | undefined> {
  for (const { opts } of jobs) yield opts?.callback;
}
