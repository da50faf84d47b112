import type { Figures } from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import type { Declaration } from '../command.ts';
import { PERIOD } from './filters.ts';
import type { Column } from '../output/table.ts';
import { moment } from '../output/times.ts';

interface Step {
  readonly at: number;
  readonly numbers: readonly (number | null)[];
  readonly waitMs: number | null;
  readonly callMs: number | null;
}

const COUNTED = ['added', 'completed', 'failed', 'retried', 'waiting'] as const;
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const STEPS: Readonly<Record<string, number>> = { minute: MINUTE, hour: HOUR };

const number = (value: number | null | undefined): string | number => value ?? '-';
const ms = (value: number | null): string => (value === null ? '-' : elapsedInWords(value));

const columns: readonly Column<Step>[] = [
  { head: 'FROM', cell: ({ at }) => moment(at) },
  ...COUNTED.map((name, index): Column<Step> => ({
    head: name.toUpperCase(),
    cell: ({ numbers }) => number(numbers[index]),
    ...(name === 'failed' && {
      colour: ({ numbers }: Step) => ((numbers[index] ?? 0) > 0 ? ('red' as const) : undefined),
    }),
  })),
  { head: 'WAIT P95', cell: ({ waitMs }) => ms(waitMs) },
  { head: 'CALL P95', cell: ({ callMs }) => ms(callMs) },
];

/** The steps from the first that has a number: nothing was counted before. */
function stepsOf({ step, from, series }: Figures): readonly Step[] {
  const steps = series.added.map((_, index) => ({
    at: from + index * step,
    numbers: COUNTED.map((name) => series[name][index] ?? null),
    waitMs: series.waitMs.p95[index] ?? null,
    callMs: series.callMs.p95[index] ?? null,
  }));
  const first = steps.findIndex(({ numbers }) => numbers.some((each) => each !== null));
  return first === -1 ? [] : steps.slice(first);
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
    by: {
      value: 'step',
      meaning: 'minute or hour (hour if the period exceeds a day)',
      offered: Object.keys(STEPS),
    },
    ...PERIOD,
  },
  isWatchable: true,
  run: async (call) => {
    const { from, to } = call.period();
    const step = STEPS[call.text('by') ?? stepOf(from, to)];
    if (call.queue !== '') await call.requireQueue();
    const path = call.queue === '' ? '/figures' : '/queues/<queue>/figures';
    const figures = await call.request<Figures>('GET', path, { query: { step, from, to } });
    call.answer(figures, (each) => call.table(columns, stepsOf(each), 'No figures in this period'));
  },
};
