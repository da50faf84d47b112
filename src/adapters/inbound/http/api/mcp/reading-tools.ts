import { JOB_STATES } from '../../../../../domain/jobs/job-status.ts';
import { pageLength } from '../../../../../domain/values/page.ts';
import {
  listOf,
  object,
  oneOf,
  optional,
  required,
  string,
} from '../../../../../domain/values/shape.ts';
import { boundedJob } from './bounded-job.ts';
import { tool, type Tool, type ToolAnnotations } from './tool.ts';

const annotations: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const reading = { right: 'read', annotations } as const;

const queue = required(string, 'The name of a queue');
const queueOrAll = optional(string, 'The name of a queue; all queues when absent');

/** The most queues or workers that a language model gets to read; the answer has their total. */
const LISTED = '100';

/** How many of the most frequent causes of failures an overview has. */
const CAUSES = '10';

/** Tools that change nothing. */
export const readingTools: readonly Tool[] = [
  tool({
    ...reading,
    name: 'overview',
    description:
      'Read how the service does as a whole: store, replicas, warnings, counts of jobs by queue, ' +
      'and the most frequent causes of failures in the last hour. Start here.',
    input: object('Overview', {}),
    call: async (_, { operations }) => ({
      data: {
        system: await operations.read('readSystem'),
        queues: await operations.read('listQueues', { query: { length: LISTED } }),
        failures: await operations.read('readRecentFailures', { query: { length: CAUSES } }),
      },
    }),
  }),
  tool({
    ...reading,
    name: 'list_queues',
    description:
      'List the first hundred queues with their counts of jobs, their state and their rates.',
    input: object('ListQueues', {}),
    call: async (_, { operations }) => ({
      data: await operations.read('listQueues', { query: { view: 'figures', length: LISTED } }),
    }),
  }),
  tool({
    ...reading,
    name: 'get_queue',
    description:
      'Read one queue: counts of jobs, whether it is paused or held, what blocks it, its worker.',
    input: object('GetQueue', { queue }),
    call: async (parameters, { operations }) => ({
      data: await operations.read('readQueue', { parameters }),
    }),
  }),
  tool({
    ...reading,
    name: 'list_jobs',
    description: 'List jobs of a queue, without what clients put into them: get_job has that.',
    input: object('ListJobs', {
      queue,
      statuses: optional(listOf(oneOf(...JOB_STATES)), 'Only jobs in these states'),
      length: optional(pageLength, 'Most jobs to return; 10'),
    }),
    call: async ({ queue: name, statuses, length }, { operations }) => ({
      data: await operations.read('listJobs', {
        parameters: { queue: name },
        query: {
          view: 'summary',
          ...(statuses !== undefined && { statuses: statuses.join(',') }),
          ...(length !== undefined && { length: String(length) }),
        },
      }),
    }),
  }),
  tool({
    ...reading,
    name: 'get_job',
    description:
      'Read one job and its latest attempts, each with its outcome and its reason. Of a long value ' +
      'it has `{start, length, leftOut}`.',
    input: object('GetJob', { queue, id: required(string, 'The id of the job') }),
    call: async ({ queue: name, id: jobId }, { operations }) => {
      const parameters = { queue: name, jobId };
      const job = await operations.read('readJob', { parameters });
      const { attempts } = await operations.read('readAttempts', { parameters });
      return { data: { ...boundedJob(job), attempts } };
    },
  }),
  tool({
    ...reading,
    name: 'failures',
    description:
      'Group failed jobs by cause, the most frequent first: the latest of one queue, or those of ' +
      'all queues in the last hour. A cause can be the `cause` of a filter of repair.',
    input: object('Failures', { queue: queueOrAll }),
    call: async ({ queue: name }, { operations }) => {
      if (name !== undefined) {
        return { data: await operations.read('readFailures', { parameters: { queue: name } }) };
      }
      const causes = await operations.run('readRecentFailures');
      return { data: { causes: JSON.parse(causes) as unknown } };
    },
  }),
  tool({
    ...reading,
    name: 'workers',
    description: 'Read the endpoints that process jobs, and their health in the last ten minutes.',
    input: object('Workers', { queue: queueOrAll }),
    call: async ({ queue: name }, { operations }) => {
      if (name === undefined) {
        return {
          data: await operations.read('listWorkers', { query: { view: 'health', length: LISTED } }),
        };
      }
      const parameters = { queue: name };
      const worker = await operations.read('readWorker', { parameters });
      const health = await operations.read('readWorkerHealth', { parameters });
      return { data: { worker, health } };
    },
  }),
  tool({
    ...reading,
    name: 'schedulers',
    description: 'List the schedulers, which add jobs time and again, and when each is due next.',
    input: object('Schedulers', { queue: queueOrAll }),
    call: async ({ queue: name }, { operations }) => {
      if (name === undefined) return { data: await operations.read('listAllSchedulers') };
      const listed = await operations.run('listSchedulers', { parameters: { queue: name } });
      return { data: { schedulers: JSON.parse(listed) as unknown } };
    },
  }),
];
