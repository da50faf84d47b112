import {
  type Attempt,
  type Job,
  type JobAttempts,
  JobgateError,
  type JobSummary,
} from 'jobgate-client';
import { asking } from '../asking.ts';
import { YES, type Declaration } from '../command.ts';
import { eachJob } from '../each-job.ts';
import type { Invocation } from '../invocation.ts';
import { jobCount } from '../output/fields.ts';
import { escapedJson } from '../output/escaped-json.ts';
import type { Column } from '../output/table.ts';
import { FILTERS, filterOf, JOB_STATES, STATES, statesOf } from './filters.ts';
import { callColumns, reasonColumn } from './call-columns.ts';
import { describedJob, jobColumns } from './job-view.ts';
import { PAGE } from './paging.ts';

/** How many lines of the log are shown with a job. */
const LAST_LINES = 10;

const attemptColumns: readonly Column<Attempt>[] = [
  { head: '#', cell: ({ number }) => number },
  ...callColumns,
  { head: 'COST', cell: ({ cost }) => (cost === 1 ? '' : cost), isOptional: true },
  { head: 'SAVED', cell: ({ saved }) => saved?.join(', ') ?? '', isOptional: true, isCut: true },
  { head: 'REPLICA', cell: ({ replica }) => replica ?? '', isOptional: true, isCut: true },
  reasonColumn,
];

const JOB = '/queues/<queue>/jobs/<job>';

async function lastLogs(call: Invocation, most: number) {
  const job = call.jobgate.queue(call.queue).job(call.name(1));
  const { count } = await job.logs({ length: 0 });
  return job.logs({ start: Math.max(0, count - most), length: most });
}

/** A token without the right `data` gets no lines. */
function noLogs(error: unknown): { readonly logs: readonly string[] } {
  if (error instanceof JobgateError && error.status === 403) return { logs: [] };
  throw error;
}

export const jobCommands: readonly Declaration[] = [
  {
    usage: 'jobs <queue>',
    summary: 'list the jobs of a queue, newest first within each state',
    examples: ['jobs mail', 'jobs mail --state failed --limit 100'],
    options: {
      'state <list>': {
        meaning: 'jobs in these states, such as failed or waiting,delayed (all)',
        offered: STATES,
      },
      ...PAGE(20),
    },
    isWatchable: true,
    run: async (call) => {
      const { counts } = await call.jobgate.queue(call.queue).get();
      const [start, length] = [call.number('skip') ?? 0, call.number('limit') ?? 20];
      // The API has no page of a queue without jobs.
      const isEmpty = Object.values({ ...counts }).every((count) => count === 0);
      const page = isEmpty
        ? { counts, jobs: [], start, length }
        : await call.jobgate.queue(call.queue).jobs({
            view: 'summary',
            statuses: statesOf(call) ?? JOB_STATES,
            start,
            length,
          });
      call.answer(page, ({ jobs }) =>
        call.table(
          jobColumns,
          jobs,
          isEmpty ? `${call.queue} has no jobs` : `${call.queue} has no matching jobs`,
        ),
      );
    },
  },
  {
    usage: 'search <queue>',
    summary: 'find jobs by state, name, group, reason, HTTP status, time or data',
    examples: ['search mail --data customer.id:17', 'search mail --http-status 503 --from 1d'],
    options: {
      ...FILTERS,
      'data <path:value>': {
        formerly: 'value',
        meaning: 'jobs whose data has this value at this path, such as customer.id:17',
      },
      'limit <n>': 'maximum jobs to find (20)',
    },
    run: async (call) => {
      await call.requireQueue();
      const limit = call.number('limit') ?? 20;
      const found: JobSummary[] = [];
      const search = call.jobgate.queue(call.queue).search({
        ...filterOf(call),
        data: call.text('data'),
        view: 'summary',
        length: Math.min(100, Math.max(1, limit)),
      });
      for await (const job of search) {
        if (found.length >= limit) break;
        found.push(job);
      }
      call.answer({ jobs: found }, ({ jobs }) =>
        call.table(jobColumns, jobs, `${call.queue} has no matching jobs`),
      );
    },
  },
  {
    usage: 'show <queue> <job>',
    summary: 'show a job and the last lines of its log',
    isWatchable: true,
    run: async (call) => {
      const [job, summary, { logs }] = await Promise.all([
        call.request<Job>('GET', JOB),
        call.request<JobSummary>('GET', JOB, { query: { view: 'summary' } }),
        lastLogs(call, LAST_LINES).catch(noLogs),
      ]);
      call.answer({ ...job, logs }, () => describedJob(call.queue, summary, job, logs));
    },
  },
  asking({
    usage: 'data <queue> <job>',
    summary: 'print the data or the result of a job as JSON',
    options: { result: 'print the result instead of the data' },
    sends: (call) => `GET ${JOB}/${call.has('result') ? 'returnvalue' : 'data'}`,
    shows: (value) => escapedJson(value, 'indented'),
  }),
  asking<JobAttempts>({
    usage: 'attempts <queue> <job>',
    summary: 'list the attempts of a job and their outcomes',
    isWatchable: true,
    sends: `GET ${JOB}/attempts`,
    shows: ({ attempts }, call) => call.table(attemptColumns, attempts, 'No attempts yet'),
  }),
  {
    usage: 'logs <queue> <job>',
    summary: 'print the log of a job',
    options: { 'limit <n>': 'number of last lines to print (1000)' },
    isWatchable: true,
    run: async (call) => {
      const answer = await lastLogs(call, call.number('limit') ?? 1000);
      call.answer(answer, ({ logs }) => (logs.length === 0 ? 'The log is empty' : logs.join('\n')));
    },
  },
  {
    usage: 'remove <queue> <job>...',
    summary: 'remove jobs by id',
    options: YES,
    run: async (call) => {
      const [queue = '', ...ids] = call.names;
      const question = `Remove ${ids.length === 1 ? `job ${ids.join()}` : jobCount(ids.length)} of ${queue}?`;
      if (!(await call.isWanted(question))) return;
      await eachJob(call, ids, 'Removed', 'removed', (id) =>
        call.jobgate.queue(queue).job(id).remove(),
      );
    },
  },
];
