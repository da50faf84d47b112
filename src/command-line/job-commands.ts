import { pathOf } from './api-client.ts';
import type { Command } from './command.ts';
import { eachJob } from './each-job.ts';
import { table, time } from './table.ts';

interface Job {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly attemptsMade: number;
  readonly timestamp: number;
  readonly finishedOn?: number;
  readonly failedReason?: string;
}

interface Failures {
  readonly window: number;
  readonly failed: number;
  readonly causes: readonly {
    readonly cause: string;
    readonly count: number;
    readonly last: number;
    readonly samples: readonly string[];
  }[];
}

const HEAD = ['ID', 'NAME', 'STATE', 'ATTEMPTS', 'ADDED', 'ENDED', 'REASON'];

function row(job: Job): readonly string[] {
  const { id, name, state, attemptsMade, timestamp, finishedOn, failedReason = '' } = job;
  return [id, name, state, String(attemptsMade), time(timestamp), time(finishedOn), failedReason];
}

export const jobCommands: readonly Command[] = [
  {
    name: 'jobs',
    takes: '<queue>',
    count: [1, 1],
    summary: 'list the jobs of a queue, the newest of each status first',
    options: {
      status: { value: 'list', meaning: 'such as failed or waiting,delayed (all)' },
      start: { value: 'n', meaning: 'how many to skip (0)' },
      length: { value: 'n', meaning: 'most to list, up to 1000 (10)' },
    },
    run: async (call) => {
      const page = await call.api.get<{ jobs: readonly Job[] }>(
        pathOf('queues', call.queue, 'jobs'),
        {
          statuses: call.text('status'),
          start: call.text('start'),
          length: call.text('length'),
        },
      );
      call.answer(page, ({ jobs }) => table(HEAD, jobs.map(row)));
    },
  },
  {
    name: 'show',
    takes: '<queue> <job>',
    count: [2, 2],
    summary: 'show a job and the last lines of its log',
    run: async (call) => {
      const [queue = '', id = ''] = call.names;
      const path = pathOf('queues', queue, 'jobs', id);
      const job = await call.api.get<object>(path);
      const { count } = await call.api.get<{ count: number }>(`${path}/logs`, { length: 0 });
      const start = Math.max(0, count - 10);
      const { logs } = await call.api.get<{ logs: readonly string[] }>(`${path}/logs`, { start });
      call.answer({ ...job, logs }, () =>
        [
          ...Object.entries(job).map(([name, value]) => `${name}: ${written(value)}`),
          ...(logs.length > 0 ? ['', ...logs] : []),
        ].join('\n'),
      );
    },
  },
  {
    name: 'failures',
    takes: '<queue>',
    count: [1, 1],
    summary: 'show why jobs failed, the most frequent cause first',
    options: { window: { value: 'n', meaning: 'how many of the latest failed jobs (1000)' } },
    run: async (call) => {
      const path = pathOf('queues', call.queue, 'failures');
      const answer = await call.api.get<Failures>(path, { window: call.text('window') });
      call.answer(answer, ({ causes, window, failed }) => {
        const rows = causes.map(({ cause, count, last, samples }) => {
          return [String(count), time(last), samples.slice(0, 3).join(' '), cause];
        });
        const text = table(['COUNT', 'LAST', 'JOBS', 'CAUSE'], rows);
        return window < failed ? `${text}\nof the last ${window} of ${failed} failed jobs` : text;
      });
    },
  },
  {
    name: 'remove',
    takes: '<queue> <job>...',
    count: [2, Infinity],
    summary: 'remove single jobs',
    options: { yes: { meaning: 'do not ask' } },
    run: async (call) => {
      const [queue = '', ...ids] = call.names;
      const question = `Remove ${ids.length === 1 ? `job ${ids.join()}` : `${ids.length} jobs`} of ${queue}?`;
      if (!(await call.isWanted(question))) return;
      await eachJob(call, ids, 'Removed', 'removed', (id) =>
        call.api.delete(pathOf('queues', queue, 'jobs', id)),
      );
    },
  },
];

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
