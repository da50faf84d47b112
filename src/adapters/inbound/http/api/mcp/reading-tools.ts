import type { Hook } from '../../../../../domain/hooks/hook.ts';
import { jobFilterFields } from '../../../../../domain/jobs/job-filter.ts';
import { pageLength } from '../../../../../domain/values/page.ts';
import { bounded, object, optional, required, text } from '../../../../../domain/values/shape.ts';
import type { Operations } from './operations.ts';
import { nameArgument, optionalQueueArgument, queueArgument } from './arguments.ts';
import { boundedJob } from './bounded-job.ts';
import { tool, type Tool, type ToolAnnotations, type ToolAnswer, type ToolData } from './tool.ts';

const annotations: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const reading = { right: 'read', annotations } as const;

/** The most queues, workers or schedulers of an answer. */
const LISTED = 100;

/** How many queues an overview has. */
const OVERVIEWED = '25';

/** The most jobs in an answer unless a client asks for fewer or more. */
const JOBS = 10;

const CURSOR_LENGTH = 9;

/** Where an answer goes on that was too long. */
const cursor = optional(
  bounded(
    CURSOR_LENGTH,
    text('be the cursor of an earlier answer', (value) => /^\d+$/.test(value)),
  ),
  'The `cursor` of the answer to go on from',
);

/** How many of the most frequent causes of failures an overview has. */
const CAUSES = '10';

/** Tools that change nothing. */
export const readingTools: readonly Tool[] = [
  tool({
    ...reading,
    name: 'overview',
    description:
      'Read how the service does as a whole: store, replicas, warnings, hooks, counts of jobs by ' +
      'queue, and the most frequent causes of failures in the last hour. Start here. With `hook`, ' +
      'read that hook and what became of its latest messages.',
    input: object('Overview', { hook: optional(nameArgument, 'The id of a hook') }),
    call: async ({ hook }, { operations }) => {
      if (hook !== undefined) return hookAnswer(hook, operations);
      return {
        data: {
          system: await operations.read('readSystem'),
          hooks: hooksIn(await operations.read('listHooks')),
          queues: await operations.read('listQueues', { query: { length: OVERVIEWED } }),
          failures: await operations.read('readRecentFailures', { query: { length: CAUSES } }),
        },
      };
    },
  }),
  tool({
    ...reading,
    name: 'list_queues',
    description: 'List queues with their counts of jobs, their state and their rates.',
    input: object('ListQueues', { cursor }),
    call: async ({ cursor: start = '0' }, { operations }) => {
      const query = { view: 'figures', start, length: String(LISTED) };
      return pageOf('queues', start, LISTED, await operations.read('listQueues', { query }));
    },
  }),
  tool({
    ...reading,
    name: 'get_queue',
    description:
      'Read one queue: counts of jobs, whether it is paused or held, what blocks it, its worker.',
    input: object('GetQueue', { queue: queueArgument }),
    call: async (parameters, { operations }) => ({
      data: await operations.read('readQueue', { parameters }),
    }),
  }),
  tool({
    ...reading,
    name: 'list_jobs',
    description: 'List jobs of a queue, without what clients put into them: get_job has that.',
    input: object('ListJobs', {
      queue: queueArgument,
      statuses: optional(jobFilterFields.statuses.shape, 'Only jobs in these states'),
      length: optional(pageLength, `Most jobs to return; ${JOBS}`),
      cursor,
    }),
    call: async ({ queue: name, statuses, length = JOBS, cursor: start = '0' }, { operations }) => {
      const page = await operations.read('listJobs', {
        parameters: { queue: name },
        query: {
          view: 'summary',
          start,
          length: String(length),
          ...(statuses !== undefined && { statuses: statuses.join(',') }),
        },
      });
      return pageOf('jobs', start, length, page);
    },
  }),
  tool({
    ...reading,
    name: 'get_job',
    description:
      'Read one job and its latest attempts, each with its outcome and its reason. Of a long value ' +
      'it has `{start, length, leftOut}`.',
    input: object('GetJob', {
      queue: queueArgument,
      id: required(nameArgument, 'The id of the job'),
      cursor,
    }),
    call: async ({ queue: name, id: jobId, cursor: start = '0' }, { operations }) => {
      const parameters = { queue: name, jobId };
      const job = await operations.read('readJob', { parameters });
      const { attempts } = await operations.read('readAttempts', { parameters });
      return partOf('attempts', start, { ...boundedJob(job), attempts });
    },
  }),
  tool({
    ...reading,
    name: 'failures',
    description:
      'Group failed jobs by cause, the most frequent first: the latest of one queue, or those of ' +
      'all queues in the last hour. A cause can be the `cause` of a filter of repair.',
    input: object('Failures', { queue: optionalQueueArgument, cursor }),
    call: async ({ queue: name, cursor: start = '0' }, { operations }) => {
      if (name !== undefined) {
        const failures = await operations.read('readFailures', { parameters: { queue: name } });
        return partOf('causes', start, failures);
      }
      const causes = await operations.run('readRecentFailures');
      return partOf('causes', start, { causes: JSON.parse(causes) as unknown });
    },
  }),
  tool({
    ...reading,
    name: 'workers',
    description: 'Read the endpoints that process jobs, and their health in the last ten minutes.',
    input: object('Workers', { queue: optionalQueueArgument, cursor }),
    call: async ({ queue: name, cursor: start = '0' }, { operations }) => {
      if (name === undefined) {
        const query = { view: 'health', start, length: String(LISTED) };
        return pageOf('workers', start, LISTED, await operations.read('listWorkers', { query }));
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
    input: object('Schedulers', { queue: optionalQueueArgument, cursor }),
    call: async ({ queue: name, cursor: start = '0' }, { operations }) => {
      const query = { start, length: String(LISTED) };
      if (name === undefined) {
        return pageOf(
          'schedulers',
          start,
          LISTED,
          await operations.read('listAllSchedulers', { query }),
        );
      }
      const parameters = { queue: name };
      const listed = await operations.run('listSchedulers', { parameters, query });
      const schedulers = JSON.parse(listed) as unknown;
      return pageOf('schedulers', start, LISTED, { schedulers });
    },
  }),
];

/** What each hook is about, without where it sends to. */
function hooksIn({ hooks }: ToolData): readonly object[] {
  return (hooks as readonly Hook[]).map(({ id, events, queues, paused, pausedReason }) => {
    return { id, events, queues, paused, pausedReason };
  });
}

async function hookAnswer(id: string, operations: Operations): Promise<ToolAnswer> {
  const parameters = { hook: id };
  const hook = await operations.read('readHook', { parameters });
  const query = { length: String(LISTED) };
  return {
    data: { hook, ...(await operations.read('listHookDeliveries', { parameters, query })) },
  };
}

/** A page that the service has cut out of a list. A full page may have others behind it. */
function pageOf(field: string, cursor: string, length: number, data: ToolData): ToolAnswer {
  const start = Number(cursor);
  const entries = (data[field] as readonly unknown[]).length;
  const { total = Infinity } = data;
  const hasMore = entries > 0 && entries === length && start + entries < Number(total);
  return { data, list: { field, start, hasMore } };
}

/** The part of a whole list that begins where a cursor points to. */
function partOf(field: string, cursor: string, data: ToolData): ToolAnswer {
  const start = Number(cursor);
  const rest = (data[field] as readonly unknown[]).slice(start);
  return { data: { ...data, [field]: rest }, list: { field, start, hasMore: false } };
}
