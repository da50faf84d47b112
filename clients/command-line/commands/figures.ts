import type { Figures } from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import { oneOf, type Declaration } from '../command.ts';
import { PERIOD } from './filters.ts';
import type { Column } from '../output/table.ts';
import { moment } from '../output/times.ts';

const COUNTED = ['added', 'completed', 'failed', 'retried', 'waiting'] as const;
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const STEPS: Readonly<Record<string, number>> = { minute: MINUTE, hour: HOUR };

const ms = (value: number | null | undefined): string =>
  value === null || value === undefined ? '-' : elapsedInWords(value);

/** The columns of steps by their indices. */
function columnsOf({ step, from, series }: Figures): readonly Column<number>[] {
  return [
    { head: 'FROM', cell: (index) => moment(from + index * step) },
    ...COUNTED.map((name): Column<number> => ({
      head: name.toUpperCase(),
      cell: (index) => series[name][index] ?? '-',
      colour: (index) => (name === 'failed' && (series[name][index] ?? 0) > 0 ? 'red' : undefined),
    })),
    { head: 'WAIT P95', cell: (index) => ms(series.waitMs.p95[index]) },
    { head: 'CALL P95', cell: (index) => ms(series.callMs.p95[index]) },
  ];
}

/** The steps from the first that has a number: nothing was counted before. */
function stepsOf({ series }: Figures): readonly number[] {
  const isCounted = (index: number): boolean =>
    COUNTED.some((name) => typeof series[name][index] === 'number');
  const first = series.added.findIndex((_, index) => isCounted(index));
  return first === -1 ? [] : [...series.added.keys()].slice(first);
}

/** More than a day in minutes is more than a person can read, or an answer can hold. */
function stepOf(from: number | undefined, to = Date.now()): 'minute' | 'hour' {
  return from !== undefined && to - from > DAY + MINUTE ? 'hour' : 'minute';
}

export const figuresCommand: Declaration = {
  usage: 'figures [queue]',
  summary: 'show counts and latencies per minute or hour, of one queue or of all queues together',
  examples: ['figures mail', 'figures --by hour --from 12h'],
  options: {
    'by <step>': oneOf(Object.keys(STEPS), (any) => `${any} (hour if the period exceeds a day)`),
    ...PERIOD,
  },
  isWatchable: true,
  run: async (call) => {
    const { from, to } = call.period();
    const step = STEPS[call.text('by') ?? stepOf(from, to)];
    if (call.queue !== '') await call.requireQueue();
    const path = call.queue === '' ? '/figures' : '/queues/<queue>/figures';
    const figures = await call.request<Figures>('GET', path, { query: { step, from, to } });
    call.answer(figures, (each) =>
      call.table(columnsOf(each), stepsOf(each), 'No figures in this period'),
    );
  },
};
