import type { OperationCatalogue } from '../../../../../application/operation-catalogue.ts';
import type { ShownNode } from '../../../../../application/operations/flow-operations.ts';
import { GROUP_STATES } from '../../../../../domain/groups/groups-query.ts';
import type { ShownHook } from '../../../../../domain/hooks/shown-hook.ts';
import { jobFilterFields } from '../../../../../domain/jobs/job-filter.ts';
import { JOB_STATES } from '../../../../../domain/jobs/job-status.ts';
import { pageLength } from '../../../../../domain/values/page.ts';
import { bounded, oneOf, optional, required, text } from '../../../../../domain/values/shape.ts';
import { nameArgument, optionalQueueArgument, queueArgument } from './arguments.ts';
import { boundedFields, boundedJob } from './bounded-job.ts';
import { tool, type Tool, type ToolAnswer, type ToolData } from './tool.ts';
import { collected, type ToolUse } from './tool-use.ts';

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
  'From an answer',
);

/** How many of the most frequent causes of failures an overview has. */
const CAUSES = 10;

/** Tools that change nothing. */
export function readingTools(catalogue: OperationCatalogue): readonly Tool[] {
  const { queues, jobs, flows, groups, schedulers, workers, hooks, failures, service } = catalogue;
  const { steps, limits, topics } = catalogue;

  const hookAnswer = async (hook: string, use: ToolUse): Promise<ToolAnswer> => {
    const shown = await use.perform(hooks.readHook, { hook });
    const { deliveries } = await use.perform(hooks.listHookDeliveries, { hook, length: LISTED });
    return { data: { hook: shown, deliveries } };
  };

  return [
    tool({
      name: 'overview',
      description:
        'Read how the service does as a whole: store, replicas, warnings, hooks, queues, and the most ' +
        'frequent failures of the last hour. Start here. With `hook`, read that one.',
      of: service.readSystem,
      input: { hook: optional(nameArgument, 'A hook') },
      call: async ({ hook }, use) => {
        if (hook !== undefined) return hookAnswer(hook, use);
        return {
          data: {
            system: await use.perform(service.readSystem, {}),
            hooks: hooksIn(await use.perform(hooks.listHooks, {})),
            queues: await use.perform(queues.listQueues, { length: OVERVIEWED }),
            failures: await use.perform(failures.readRecentFailures, { length: CAUSES }),
          },
        };
      },
    }),
    tool({
      name: 'list_queues',
      description: 'List queues with their counts of jobs, states and rates.',
      of: queues.listQueues,
      input: { cursor },
      call: async ({ cursor: start = '0' }, use) => {
        const query = { view: 'figures', start: Number(start), length: LISTED } as const;
        return pageOf('queues', start, LISTED, await use.perform(queues.listQueues, query));
      },
    }),
    tool({
      name: 'get_queue',
      description:
        'Read one queue: counts of jobs, whether it is paused or held, what blocks it, its worker.',
      of: queues.readQueue,
      input: { queue: queueArgument },
      call: async ({ queue }, use) => ({ data: await use.perform(queues.readQueue, { queue }) }),
    }),
    tool({
      name: 'list_jobs',
      description: 'List jobs of a queue, without what clients put into them: get_job has that.',
      of: jobs.listJobs,
      input: {
        queue: queueArgument,
        statuses: optional(jobFilterFields.statuses.shape, 'In these states'),
        length: optional(pageLength, `Most jobs; ${JOBS}`),
        cursor,
      },
      call: async ({ queue, statuses = JOB_STATES, length = JOBS, cursor: start = '0' }, use) => {
        const query = { queue, view: 'summary', statuses, start: Number(start), length } as const;
        const { jobs: listed, ...page } = await use.perform(jobs.listJobs, query);
        return pageOf('jobs', start, length, { ...page, jobs: await collected<object>(listed) });
      },
    }),
    tool({
      name: 'get_job',
      description:
        'Read one job, what it waits for while suspended, its latest steps, and its latest attempts ' +
        'with their outcomes and reasons. Of a long value it has `{start, length, leftOut}`.',
      of: jobs.readJob,
      input: { queue: queueArgument, id: required(nameArgument, 'The job'), cursor },
      call: async ({ queue, id: jobId, cursor: start = '0' }, use) => {
        const job = await use.perform(jobs.readJob, { queue, jobId });
        const { attempts } = await use.perform(jobs.readAttempts, { queue, jobId });
        const saved = await use.perform(steps.listSteps, { queue, jobId, token: undefined });
        return partOf('attempts', start, { ...boundedJob(job), ...latestSteps(saved), attempts });
      },
    }),
    tool({
      name: 'failures',
      description:
        'Group failed jobs by cause, the most frequent first: the latest of one queue, or those of ' +
        'all in the last hour. A cause can be that of a filter of repair.',
      of: failures.readFailures,
      input: { queue: optionalQueueArgument, cursor },
      call: async ({ queue, cursor: start = '0' }, use) => {
        if (queue !== undefined) {
          return partOf('causes', start, await use.perform(failures.readFailures, { queue }));
        }
        const causes = await use.perform(failures.readRecentFailures, {});
        return partOf('causes', start, { causes });
      },
    }),
    tool({
      name: 'workers',
      description: 'Read the endpoints of queues, and their health in the last ten minutes.',
      of: workers.listWorkers,
      input: { queue: optionalQueueArgument, cursor },
      call: async ({ queue, cursor: start = '0' }, use) => {
        if (queue === undefined) {
          const query = { view: 'health', start: Number(start), length: LISTED } as const;
          return pageOf('workers', start, LISTED, await use.perform(workers.listWorkers, query));
        }
        const worker = await use.perform(workers.readWorker, { queue });
        const health = await use.perform(workers.readWorkerHealth, { queue });
        return { data: { worker, health } };
      },
    }),
    tool({
      name: 'schedulers',
      description: 'List the schedulers, and when each is due next.',
      of: schedulers.listAllSchedulers,
      input: { queue: optionalQueueArgument, cursor },
      call: async ({ queue, cursor: start = '0' }, use) => {
        const page = { start: Number(start), length: LISTED };
        if (queue === undefined) {
          return pageOf(
            'schedulers',
            start,
            LISTED,
            await use.perform(schedulers.listAllSchedulers, page),
          );
        }
        const listed = await use.perform(schedulers.listSchedulers, { queue, ...page });
        const data = { schedulers: await collected<object>(listed) };
        return pageOf('schedulers', start, LISTED, data);
      },
    }),
    tool({
      name: 'groups',
      description:
        'List the groups of a queue, the one with the most waiting jobs first: counts, limits, what ' +
        'blocks each. With `id`, read one.',
      of: groups.listGroups,
      input: {
        queue: queueArgument,
        id: optional(nameArgument, 'A group'),
        state: optional(oneOf(...GROUP_STATES), 'In this state'),
        cursor,
      },
      call: async ({ queue, id: group, state, cursor: start = '0' }, use) => {
        if (group !== undefined)
          return { data: await use.perform(groups.readGroup, { queue, group }) };
        const page = { start: Number(start), length: LISTED };
        const query = { queue, ...page, sort: 'waiting', state } as const;
        return pageOf('groups', start, LISTED, await use.perform(groups.listGroups, query));
      },
    }),
    tool({
      name: 'get_flow',
      description:
        'Read a job and all jobs below it: each with its state and `depth`, directly after its ' +
        'parent, without data.',
      of: flows.readFlow,
      input: {
        queue: queueArgument,
        id: required(nameArgument, 'The uppermost job'),
        cursor,
      },
      call: async ({ queue, id: jobId, cursor: start = '0' }, use) => {
        const nodes = await collected(await use.perform(flows.readFlow, { queue, jobId }));
        return partOf('jobs', start, { jobs: nodes.map(jobOfFlow) });
      },
    }),
    tool({
      name: 'hooks',
      description:
        'List the hooks, which report events to other systems. With `id`, read one with its latest messages.',
      of: hooks.listHooks,
      input: { id: optional(nameArgument, 'A hook'), cursor },
      call: async ({ id, cursor: start = '0' }, use) =>
        id === undefined
          ? partOf('hooks', start, { hooks: await use.perform(hooks.listHooks, {}) })
          : hookAnswer(id, use),
    }),
    tool({
      name: 'limits',
      description:
        'List the limits that queues share, and their use. With `id`, read one with its queues.',
      of: limits.listLimits,
      input: { id: optional(nameArgument, 'A limit'), cursor },
      call: async ({ id: limit, cursor: start = '0' }, use) => {
        if (limit === undefined) {
          return partOf('limits', start, await use.perform(limits.listLimits, {}));
        }
        const shown = await use.perform(limits.readLimit, { limit });
        const { queues: listed } = await use.perform(limits.listQueuesAtLimit, { limit });
        return partOf('queues', start, { limit: shown, queues: listed });
      },
    }),
    tool({
      name: 'topics',
      description: 'List the topics. With `topic`, read the subscriptions of one.',
      of: topics.listTopics,
      input: { topic: optional(nameArgument, 'A topic'), cursor },
      call: async ({ topic, cursor: start = '0' }, use) =>
        topic === undefined
          ? partOf('topics', start, await use.perform(topics.listTopics, {}))
          : partOf('subscriptions', start, await use.perform(topics.readTopic, { topic })),
    }),
  ];
}

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
