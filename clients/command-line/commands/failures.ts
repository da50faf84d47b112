import type { FailureGroup, Failures, QueueFailure } from 'jobgate-client';
import type { Declaration } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import type { Column } from '../output/table.ts';
import { moment } from '../output/times.ts';

const shared: readonly Column<FailureGroup | QueueFailure>[] = [
  { head: 'COUNT', cell: ({ count }) => count },
  { head: 'HTTP', cell: ({ status }) => status ?? '', isOptional: true },
  { head: 'LAST', cell: ({ last }) => moment(last) },
  { head: 'JOBS', cell: ({ samples }) => samples.slice(0, 2).join(' ') },
  { head: 'CAUSE', cell: ({ cause }) => cause, isCut: true },
];

/** The causes of failure in a queue, the most frequent first. */
export function causesOf(call: Invocation): Promise<Failures> {
  return call.jobgate.queue(call.queue).failures({ window: call.number('latest') });
}

export const failuresCommand: Declaration = {
  usage: 'failures [queue]',
  summary: 'show why jobs failed, with the most frequent cause first',
  details:
    'The causes of a queue are numbered; pass such a number to --cause of other commands. Without a queue, shows the latest causes of all queues.',
  examples: ['failures mail', 'retry mail --cause 1', 'failures --within 6h'],
  options: {
    'latest <n>': 'with a queue: number of latest failed jobs to examine (1000)',
    'within <duration>': 'without a queue: period to examine, up to 24h (1h)',
    'limit <n>': 'without a queue: maximum causes to list (50)',
  },
  isWatchable: true,
  run: async (call) => {
    const misplaced = call.queue === '' ? ['latest'] : ['within', 'limit'];
    for (const option of misplaced.filter((each) => call.has(each))) {
      const which = call.queue === '' ? 'with a queue' : 'without a queue';
      throw new UsageError(`--${option} works only ${which}`);
    }
    if (call.queue === '') await showAll(call);
    else await showOne(call);
  },
};

async function showOne(call: Invocation): Promise<void> {
  await call.requireQueue();
  call.answer(await causesOf(call), ({ causes, window, failed }) => {
    const rows = causes.map((cause, index) => ({ ...cause, number: index + 1 }));
    const number: Column<(typeof rows)[number]> = { head: '#', cell: (row) => row.number };
    const text = call.table([number, ...shared], rows, `${call.queue} has no failed jobs`);
    return window < failed ? `${text}\nfrom the latest ${window} of ${failed} failed jobs` : text;
  });
}

async function showAll(call: Invocation): Promise<void> {
  const query = { window: call.duration('within'), length: call.number('limit') };
  const causes = await call.jobgate.failures(query);
  const queue: Column<QueueFailure> = { head: 'QUEUE', cell: (row) => row.queue };
  call.answer(causes, (rows) =>
    call.table([queue, ...shared], rows, 'No jobs failed in this period'),
  );
}
