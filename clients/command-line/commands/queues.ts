import { JobgateError, type FiguredQueue, type QueueState } from 'jobgate-client';
import { shellWord } from '../../rules/shell-word.ts';
import { asking } from '../asking.ts';
import { oneOf, YES, type Declaration } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { counted } from '../../rules/counted.ts';
import { jobCount } from '../output/fields.ts';
import { timeAndDistance } from '../output/times.ts';
import { holding, REASON } from './holding.ts';
import { listing } from './paging.ts';
import { describedQueue, queueColumns } from './queue-view.ts';
import { reasonInWords, reasonOfJob } from './why.ts';

/** How long (ms) the removal of many jobs may take. */
const LONG = 3_600_000;

function read(call: Invocation): Promise<QueueState> {
  return call.jobgate.queue(call.queue).get();
}

/** The warning of a memory that is full, or nearly: then it is the adds that fail. Some tokens may not read it. */
async function fullMemory({ jobgate }: Invocation): Promise<readonly string[]> {
  try {
    const { warnings } = await jobgate.system();
    return warnings.flatMap(({ code, text }) => (code === 'memory' ? [`${text}.`] : []));
  } catch (error) {
    if (error instanceof JobgateError) return [];
    throw error;
  }
}

function jobsOf({ counts }: Pick<FiguredQueue, 'counts'>): number {
  return Object.values({ ...counts }).reduce((sum, count) => sum + count, 0);
}

const leftIn = (call: Invocation) => async (): Promise<string> =>
  `${jobCount(jobsOf(await read(call)))} left`;

/** A resumed queue whose hold goes on starts no jobs, which nobody expects of a queue that was just resumed. */
function stillHeld(queue: string, until: number): string {
  return `; still held until ${timeAndDistance(until)}: jobgate hold ${shellWord(queue)} --end`;
}

/** The service can also pause a queue before its first job, but on the command line a typo is more likely. */
const pausing = (action: 'pause' | 'resume', summary: string): Declaration => ({
  usage: `${action} <queue>`,
  summary,
  ...(action === 'pause' && {
    examples: ['pause mail --reason "Deploy of billing"'],
    options: REASON,
  }),
  run: async (call) => {
    const { heldUntil } = await read(call);
    const body = action === 'pause' ? { reason: call.text('reason') } : undefined;
    await call.request('POST', `/queues/<queue>/${action}`, { body });
    const done = { queue: call.queue, paused: action === 'pause' };
    const hold = action === 'pause' || heldUntil === null ? '' : stillHeld(call.queue, heldUntil);
    call.answer(done, () => `${call.queue} is ${action}d${hold}`);
  },
});

export const queueCommands: readonly Declaration[] = [
  listing({
    usage: 'queues [pattern]',
    summary: 'list all queues, or those that match a pattern such as "mail-*"',
    examples: ['queues', "queues 'mail-*' --sort failed", 'queues --only failing --watch'],
    options: {
      'sort <column>': oneOf(
        ['name', 'waiting', 'active', 'failed', 'oldest', 'rate'],
        (any) => `sort by ${any}; numbers in descending order`,
      ),
      'only <what>': oneOf(
        ['paused', 'held', 'open', 'disabled', 'blocked', 'failing', 'idle'],
        (any) => `only ${any} queues`,
      ),
      discover: 'first look for queues that native BullMQ clients created',
    },
    isWatchable: true,
    sends: 'GET /queues',
    query: (call) => {
      const sort = call.text('sort');
      return {
        view: 'figures',
        name: call.names[0],
        sort,
        order: sort === undefined || sort === 'name' ? undefined : 'desc',
        state: call.text('only'),
        discover: call.has('discover') || undefined,
      };
    },
    rows: 'queues',
    columns: queueColumns,
    none: () => 'No matching queues',
  }),
  asking({
    usage: 'queue <queue>',
    summary: 'show a queue: its jobs, worker, limits and policy, and what blocks it',
    isWatchable: true,
    sends: 'GET /queues/<queue>',
    shows: describedQueue,
  }),
  {
    usage: 'why <queue> [job]',
    summary: 'explain why a queue, or one of its jobs, does not start, and what to do',
    examples: ['why mail', 'why mail 17'],
    isWatchable: true,
    run: async (call) => {
      const [, id] = call.names;
      if (id !== undefined) {
        const job = call.jobgate.queue(call.queue).job(id);
        const [{ blocked }, shown] = await Promise.all([job.blocked(), job.get()]);
        call.answer(blocked, () => reasonOfJob(call.queue, shown, blocked));
        return;
      }
      const [queue, full] = await Promise.all([read(call), fullMemory(call)]);
      call.answer(queue.blocked, () => [reasonInWords(queue), ...full].join('\n'));
    },
  },
  pausing('pause', 'stop starting jobs of a queue; running calls continue'),
  pausing('resume', 'start jobs of a paused queue again'),
  holding('queue', {
    usage: 'hold <queue> [duration]',
    summary: 'stop starting jobs of a queue for a while',
    examples: ['hold mail 10m', 'hold mail --end'],
  }),
  {
    usage: 'drain <queue>',
    summary: 'remove the waiting jobs of a queue',
    options: { delayed: 'also remove the delayed jobs', ...YES },
    run: async (call) => {
      const { counts } = await read(call);
      const delayed = call.has('delayed');
      const what = delayed ? 'waiting and delayed' : 'waiting';
      const count = counts.waiting + counts.prioritized + (delayed ? counts.delayed : 0);
      if (!(await call.isWanted(`Remove the ${counted(count, `${what} job`)} of ${call.queue}?`)))
        return;
      const drain = call.jobgate.queue(call.queue).drain({ delayed, timeout: LONG });
      const answer = await call.terminal.during(drain, leftIn(call));
      call.answer(answer, ({ removed }) => `Removed ${jobCount(removed)}`);
    },
  },
  {
    usage: 'delete <queue>',
    summary: 'remove a queue with its jobs, job schedulers and worker',
    options: {
      force: 'delete the queue even if jobs are active, and abort their calls',
      ...YES,
    },
    run: async (call) => {
      const jobs = jobsOf(await read(call));
      if (!(await call.isWanted(`Remove the queue ${call.queue} with its ${jobCount(jobs)}?`)))
        return;
      const force = call.has('force');
      const removal = call.jobgate
        .queue(call.queue)
        .remove({ ...(force && { force }), timeout: LONG });
      const answer = await call.terminal.during(removal, leftIn(call));
      call.answer(answer, ({ removed: { jobs, schedulers, worker } }) => {
        const parts = [jobCount(jobs), counted(schedulers, 'job scheduler')];
        return `Removed ${call.queue}: ${[...parts, ...(worker ? ['its worker'] : [])].join(', ')}`;
      });
    },
  },
];
