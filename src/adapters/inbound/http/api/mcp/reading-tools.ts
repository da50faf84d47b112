import type { ShownNode } from '../../../../../application/operations/flow-operations.ts';
import { GROUP_STATES } from '../../../../../domain/groups/groups-query.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import type { ShownHook } from '../../../../../domain/hooks/shown-hook.ts';
import { jobFilterFields } from '../../../../../domain/jobs/job-filter.ts';
import { JOB_STATES } from '../../../../../domain/jobs/job-status.ts';
import { pageLength } from '../../../../../domain/values/page.ts';
import {
  bounded,
  object,
  oneOf,
  optional,
  required,
  text,
} from '../../../../../domain/values/shape.ts';
import { nameArgument, optionalQueueArgument, queueArgument } from './arguments.ts';
import { boundedFields, boundedJob } from './bounded-job.ts';
import { tool, type Tool, type ToolAnnotations, type ToolAnswer, type ToolData } from './tool.ts';
import { collected, type ToolUse } from './tool-use.ts';

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
const OVERVIEWED = 25;

/** The most jobs in an answer unless a client asks for fewer or more. */
const JOBS = 10;

/** How many steps of a job are shown, the latest, and the characters that their values keep. */
const LATEST_STEPS = 10;
const LONGEST_VALUE = 200;

const CURSOR_LENGTH = 9;

/** Where an answer goes on that was too long. */
const cursor = optional(
  bounded(
    CURSOR_LENGTH,
    text('be the cursor of an earlier answer', (value) => /^\d+$/.test(value)),
  ),
  'The `cursor` of an answer',
);

/** How many of the most frequent causes of failures an overview has. */
const CAUSES = 10;

/** How far back (ms) the failures of all queues go. */
const LAST_HOUR = 3_600_000;

/** How many of the latest failed jobs of a queue are looked at. */
const LATEST_FAILED = 1000;

/** How many causes of failures of all queues there are at most. */
const MOST_CAUSES = 50;

const EVERY_QUEUE = {
  name: undefined,
  discover: false,
  sort: undefined,
  order: undefined,
  state: undefined,
} as const;

/** Tools that change nothing. */
export const readingTools: readonly Tool[] = [
  tool({
    ...reading,
    name: 'overview',
    description:
      'Read how the service does as a whole: store, replicas, warnings, hooks, counts of jobs by ' +
      'queue, and the most frequent causes of failures in the last hour. Start here. With `hook`, ' +
      'read that one.',
    input: object('Overview', { hook: optional(nameArgument, 'The id of a hook') }),
    call: async ({ hook }, use) => {
      if (hook !== undefined) return hookAnswer(hook, use);
      const { queues, hooks, failures, service } = use.catalogue;
      return {
        data: {
          system: await use.perform(service.readSystem, {}),
          hooks: hooksIn(await use.perform(hooks.list, {})),
          queues: await use.perform(queues.list, {
            ...EVERY_QUEUE,
            view: undefined,
            start: 0,
            length: OVERVIEWED,
          }),
          failures: await use.perform(failures.readRecent, {
            window: LAST_HOUR,
            length: CAUSES,
          }),
        },
      };
    },
  }),
  tool({
    ...reading,
    name: 'list_queues',
    description: 'List queues with their counts of jobs, their state and their rates.',
    input: object('ListQueues', { cursor }),
    call: async ({ cursor: start = '0' }, use) => {
      const page = { start: Number(start), length: LISTED };
      const query = { ...EVERY_QUEUE, view: 'figures', ...page } as const;
      return pageOf('queues', start, LISTED, await use.perform(use.catalogue.queues.list, query));
    },
  }),
  tool({
    ...reading,
    name: 'get_queue',
    description:
      'Read one queue: counts of jobs, whether it is paused or held, what blocks it, its worker.',
    input: object('GetQueue', { queue: queueArgument }),
    call: async ({ queue: name }, use) => ({
      data: await use.perform(use.catalogue.queues.read, { queue: name as QueueName }),
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
    call: async ({ queue: name, statuses, length = JOBS, cursor: start = '0' }, use) => {
      const { jobs, ...page } = await use.perform(use.catalogue.jobs.list, {
        queue: name as QueueName,
        view: 'summary',
        group: undefined,
        statuses: statuses ?? JOB_STATES,
        start: Number(start),
        length,
      });
      return pageOf('jobs', start, length, { ...page, jobs: await collected<object>(jobs) });
    },
  }),
  tool({
    ...reading,
    name: 'get_job',
    description:
      'Read one job, what it waits for while suspended, its latest steps, and its latest attempts with ' +
      'their outcomes and reasons. Of a long value it has `{start, length, leftOut}`.',
    input: object('GetJob', {
      queue: queueArgument,
      id: required(nameArgument, 'The id of the job'),
      cursor,
    }),
    call: async ({ queue: name, id: jobId, cursor: start = '0' }, use) => {
      const { jobs, steps } = use.catalogue;
      const place = { queue: name as QueueName, jobId };
      const job = await use.perform(jobs.read, { ...place, view: undefined });
      const { attempts } = await use.perform(jobs.readAttempts, place);
      const saved = await use.perform(steps.list, { ...place, token: undefined });
      return partOf('attempts', start, { ...boundedJob(job), ...latestSteps(saved), attempts });
    },
  }),
  tool({
    ...reading,
    name: 'failures',
    description:
      'Group failed jobs by cause, the most frequent first: the latest of one queue, or those of ' +
      'all queues in the last hour. A cause can be the `cause` of a filter of repair.',
    input: object('Failures', { queue: optionalQueueArgument, cursor }),
    call: async ({ queue: name, cursor: start = '0' }, use) => {
      const { failures } = use.catalogue;
      if (name !== undefined) {
        const ofQueue = { queue: name as QueueName, window: LATEST_FAILED };
        return partOf('causes', start, await use.perform(failures.read, ofQueue));
      }
      const lately = { window: LAST_HOUR, length: MOST_CAUSES };
      const causes = await use.perform(failures.readRecent, lately);
      return partOf('causes', start, { causes });
    },
  }),
  tool({
    ...reading,
    name: 'workers',
    description: 'Read the endpoints that process jobs, and their health in the last ten minutes.',
    input: object('Workers', { queue: optionalQueueArgument, cursor }),
    call: async ({ queue: name, cursor: start = '0' }, use) => {
      const { workers } = use.catalogue;
      if (name === undefined) {
        const page = { start: Number(start), length: LISTED };
        const query = { view: 'health', ...page, state: undefined } as const;
        return pageOf('workers', start, LISTED, await use.perform(workers.list, query));
      }
      const ofQueue = { queue: name as QueueName };
      const worker = await use.perform(workers.read, ofQueue);
      const health = await use.perform(workers.readHealth, ofQueue);
      return { data: { worker, health } };
    },
  }),
  tool({
    ...reading,
    name: 'schedulers',
    description: 'List the schedulers, which add jobs time and again, and when each is due next.',
    input: object('Schedulers', { queue: optionalQueueArgument, cursor }),
    call: async ({ queue: name, cursor: start = '0' }, use) => {
      const { schedulers } = use.catalogue;
      const page = { start: Number(start), length: LISTED };
      if (name === undefined) {
        const query = { ...page, queues: undefined, sort: 'next' } as const;
        return pageOf('schedulers', start, LISTED, await use.perform(schedulers.listAll, query));
      }
      const ofQueue = { queue: name as QueueName, ...page };
      const listed = await collected<object>(await use.perform(schedulers.list, ofQueue));
      return pageOf('schedulers', start, LISTED, { schedulers: listed });
    },
  }),
  tool({
    ...reading,
    name: 'groups',
    description:
      'List the groups of jobs of a queue, the one with the most waiting jobs first: counts, limits, ' +
      'what blocks each. With `id`, read one.',
    input: object('Groups', {
      queue: queueArgument,
      id: optional(nameArgument, 'The id of a group'),
      state: optional(oneOf(...GROUP_STATES), 'Only groups in this state'),
      cursor,
    }),
    call: async ({ queue: name, id, state, cursor: start = '0' }, use) => {
      const { groups } = use.catalogue;
      const queue = name as QueueName;
      if (id !== undefined) return { data: await use.perform(groups.read, { queue, group: id }) };
      const page = { start: Number(start), length: LISTED };
      const query = { queue, ...page, sort: 'waiting', state, id: undefined } as const;
      return pageOf('groups', start, LISTED, await use.perform(groups.list, query));
    },
  }),
  tool({
    ...reading,
    name: 'get_flow',
    description:
      'Read a job with the jobs that it waits for, and those below them: each with its state and ' +
      '`depth`, directly after its parent, without data.',
    input: object('GetFlow', {
      queue: queueArgument,
      id: required(nameArgument, 'The id of the uppermost job'),
      cursor,
    }),
    call: async ({ queue: name, id: jobId, cursor: start = '0' }, use) => {
      const place = { queue: name as QueueName, jobId };
      const nodes = await collected(await use.perform(use.catalogue.flows.read, place));
      return partOf('jobs', start, { jobs: nodes.map(jobOfFlow) });
    },
  }),
  tool({
    ...reading,
    name: 'hooks',
    description:
      'List the hooks, which report events to other systems. With `id`, read one with its latest messages.',
    input: object('Hooks', { id: optional(nameArgument, 'The id of a hook'), cursor }),
    call: async ({ id, cursor: start = '0' }, use) =>
      id === undefined
        ? partOf('hooks', start, { hooks: await use.perform(use.catalogue.hooks.list, {}) })
        : hookAnswer(id, use),
  }),
];

/** The latest steps of a job, and how many it has; nothing of a job without steps. */
function latestSteps({ steps }: { readonly steps: readonly object[] }): object {
  if (steps.length === 0) return {};
  const latest = steps
    .slice(-LATEST_STEPS)
    .map((step) => boundedFields(step as ToolData, LONGEST_VALUE));
  return { steps: { count: steps.length, latest } };
}

/** A job of a flow without its values, which `get_job` returns. */
function jobOfFlow({ node, depth }: ShownNode): object {
  const { queue, id, name, state, onChildFailure, failedReason } = node;
  const { timestamp, processedOn, finishedOn } = node;
  const times = { timestamp, processedOn, finishedOn };
  return {
    depth,
    ...boundedJob({ queue, id, name, state, onChildFailure, failedReason }),
    ...times,
  };
}

/** What each hook is about, without where it sends to. */
function hooksIn(hooks: readonly ShownHook[]): readonly object[] {
  return hooks.map(({ id, events, queues, paused, pausedReason }) => {
    return { id, events, queues, paused, pausedReason };
  });
}

async function hookAnswer(hook: string, use: ToolUse): Promise<ToolAnswer> {
  const { hooks } = use.catalogue;
  const shown = await use.perform(hooks.read, { hook });
  const { deliveries } = await use.perform(hooks.listDeliveries, { hook, length: LISTED });
  return { data: { hook: shown, deliveries } };
}

/** A page that the service has cut out of a list. A full page may have others behind it. */
function pageOf(field: string, cursor: string, length: number, data: object): ToolAnswer {
  const start = Number(cursor);
  const entries = entriesOf(field, data).length;
  const { total = Infinity } = data as { readonly total?: number };
  const hasMore = entries > 0 && entries === length && start + entries < total;
  return { data, list: { field, start, hasMore } };
}

/** The part of a whole list that begins where a cursor points to. */
function partOf(field: string, cursor: string, data: object): ToolAnswer {
  const start = Number(cursor);
  const rest = entriesOf(field, data).slice(start);
  return { data: { ...data, [field]: rest }, list: { field, start, hasMore: false } };
}

function entriesOf(field: string, data: object): readonly unknown[] {
  return (data as ToolData)[field] as readonly unknown[];
}
