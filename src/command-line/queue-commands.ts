import { ApiError, pathOf } from './api-client.ts';
import type { Command, Invocation } from './command.ts';
import { duration, jobCount, table } from './table.ts';

type Counts = Readonly<Record<string, number>>;

interface Blocked {
  readonly reason: string;
  readonly until?: number;
  readonly detail: string;
}

interface Queue {
  readonly name: string;
  readonly paused: boolean;
  readonly counts: Counts;
  readonly oldestWaiting: number | null;
  readonly worker: string | null;
  readonly blocked: Blocked | null;
}

const STATES = ['active', 'waiting', 'prioritized', 'delayed', 'completed', 'failed'];
const HEAD = ['QUEUE', ...STATES.map((state) => state.toUpperCase()), 'OLDEST', 'WORKER'];
const YES = { yes: { meaning: 'do not ask' } };

function row({ name, paused, counts, oldestWaiting, worker }: Queue): readonly string[] {
  const numbers = STATES.map((state) => String(counts[state]));
  const age = oldestWaiting === null ? '-' : duration(oldestWaiting);
  return [name, ...numbers, age, `${worker ?? '-'}${paused ? ' (paused)' : ''}`];
}

function jobsOf({ counts }: Queue): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function read({ api, queue }: Invocation): Promise<Queue> {
  return api.get(pathOf('queues', queue));
}

/** The service pauses a queue before its first job as well; here its name is more likely mistyped. */
async function mustExist(call: Invocation): Promise<void> {
  try {
    await read(call);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw new ApiError(`There is no queue ${call.queue}: jobgate queues lists them`, 404);
  }
}

const leftIn = (call: Invocation) => async (): Promise<string> =>
  `${jobCount(jobsOf(await read(call)))} left`;

function simply(action: 'pause' | 'resume', summary: string): Command {
  return {
    name: action,
    takes: '<queue>',
    count: [1, 1],
    summary,
    run: async (call) => {
      await mustExist(call);
      await call.api.post(pathOf('queues', call.queue, action));
      const done = { queue: call.queue, paused: action === 'pause' };
      call.answer(done, () => `${call.queue} is ${action}d`);
    },
  };
}

/** What people do about each reason; nothing about those that end by themselves. */
const CURES: Readonly<Record<string, (queue: string) => string>> = {
  paused: (queue) => `jobgate resume ${queue} lets its jobs start again.`,
  held: (queue) => `DELETE /queues/${queue}/hold ends the hold now.`,
  disabled: (queue) => `POST /workers/${queue}/enable calls the endpoint again.`,
  open: (queue) => `GET /workers/${queue}/health shows how the latest calls failed.`,
  'no-worker': (queue) =>
    `Register a worker with POST /workers, or claim with POST /queues/${queue}/jobs/claim.`,
  concurrency: (queue) => `jobgate jobs ${queue} --status active lists the jobs that run.`,
};

function reasonInWords({ name, blocked, counts }: Queue): string {
  if (blocked === null) {
    const waiting = ['waiting', 'prioritized', 'delayed'].some((state) => (counts[state] ?? 0) > 0);
    return waiting ? `Jobs of ${name} start` : `No job of ${name} waits`;
  }
  const cure = CURES[blocked.reason]?.(name);
  return cure === undefined ? `${blocked.detail}.` : `${blocked.detail}.\n${cure}`;
}

export const queueCommands: readonly Command[] = [
  {
    name: 'queues',
    takes: '[pattern]',
    count: [0, 1],
    summary: 'list the queues, all or those such as "mail-*"',
    options: {
      start: { value: 'n', meaning: 'how many to skip (0)' },
      length: { value: 'n', meaning: 'most to list (1000)' },
      discover: { meaning: 'look for queues of native BullMQ clients first' },
    },
    run: async (call) => {
      const answer = await call.api.get<{ total: number; queues: readonly Queue[] }>('/queues', {
        name: call.names[0],
        start: call.text('start'),
        length: call.text('length'),
        discover: call.has('discover') || undefined,
      });
      call.answer(answer, ({ total, queues }) => {
        const rest = total === queues.length ? '' : `\n${queues.length} of ${total} queues`;
        return table(HEAD, queues.map(row)) + rest;
      });
    },
  },
  {
    name: 'queue',
    takes: '<queue>',
    count: [1, 1],
    summary: 'show one queue',
    run: async (call) => call.answer(await read(call), (queue) => table(HEAD, [row(queue)])),
  },
  {
    name: 'why',
    takes: '<queue>',
    count: [1, 1],
    summary: 'say why nothing of a queue starts although jobs wait',
    run: async (call) => {
      const queue = await read(call);
      call.answer(queue.blocked, () => reasonInWords(queue));
    },
  },
  simply('pause', 'let no job of a queue start; running calls go on'),
  simply('resume', 'let the jobs of a queue start again'),
  {
    name: 'drain',
    takes: '<queue>',
    count: [1, 1],
    summary: 'remove the waiting jobs',
    options: { delayed: { meaning: 'also remove the delayed ones' }, ...YES },
    run: async (call) => {
      const { api, queue, terminal } = call;
      const what = call.has('delayed') ? 'waiting and delayed' : 'waiting';
      if (!(await call.isWanted(`Remove the ${what} jobs of ${queue}?`))) return;
      const drain = api.post<{ removed: number }>(pathOf('queues', queue, 'drain'), {
        delayed: call.has('delayed'),
      });
      const answer = await terminal.during(drain, leftIn(call));
      call.answer(answer, ({ removed }) => `Removed ${jobCount(removed)}`);
    },
  },
  {
    name: 'delete',
    takes: '<queue>',
    count: [1, 1],
    summary: 'remove a queue with its jobs, job schedulers and worker',
    options: { force: { meaning: 'also while jobs are active; their calls are aborted' }, ...YES },
    run: async (call) => {
      const { api, queue, terminal } = call;
      const jobs = jobsOf(await read(call));
      if (!(await call.isWanted(`Remove the queue ${queue} with its ${jobCount(jobs)}?`))) return;
      const removal = api.delete<{ removed: Removed }>(pathOf('queues', queue), {
        confirm: queue,
        force: call.has('force') || undefined,
      });
      const answer = await terminal.during(removal, leftIn(call));
      call.answer(answer, ({ removed: { jobs, schedulers, worker } }) => {
        const parts = [jobCount(jobs), `${schedulers} job schedulers`];
        return `Removed ${queue}: ${[...parts, ...(worker ? ['its worker'] : [])].join(', ')}`;
      });
    },
  },
];

interface Removed {
  readonly jobs: number;
  readonly schedulers: number;
  readonly worker: boolean;
}
