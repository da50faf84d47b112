import type { Figures, Percentiles, StatusSeries } from '../../../api/answers.ts';

type Series = readonly (number | null)[];

/**
 * The figures with `factor` steps combined into one: counts are added up; of levels the last remains, of times the
 * longest.
 */
export function inSteps(figures: Figures, factor: number): Figures {
  const merged = (values: Series, merge: (known: readonly number[]) => number): Series => {
    const steps: (number | null)[] = [];
    for (let start = 0; start < values.length; start += factor) {
      const known = values.slice(start, start + factor).filter((value) => value !== null);
      steps.push(known.length === 0 ? null : merge(known));
    }
    return steps;
  };
  return {
    step: figures.step * factor,
    from: figures.from,
    series: changed(figures.series, {
      count: (values) => merged(values, (known) => known.reduce(add)),
      level: (values) => merged(values, (known) => known.at(-1) ?? 0),
      time: (values) => merged(values, (known) => Math.max(...known)),
    }),
  };
}

/** The figures without the steps that begin before a time, epoch ms. */
export function figuresSince(time: number, { step, from, series }: Figures): Figures {
  const left = Math.max(0, Math.ceil((time - from) / step));
  const rest = (values: Series): Series => values.slice(left);
  return {
    step,
    from: from + left * step,
    series: changed(series, { count: rest, level: rest, time: rest }),
  };
}

type Change = (values: Series) => Series;

function changed(
  series: Figures['series'],
  { count, level, time }: Readonly<Record<'count' | 'level' | 'time', Change>>,
): Figures['series'] {
  const times = ({ p50, p95, p99 }: Percentiles): Percentiles => ({
    p50: time(p50),
    p95: time(p95),
    p99: time(p99),
  });
  const answers = Object.entries(series.status).map(([kind, values]) => [kind, count(values)]);
  return {
    added: count(series.added),
    completed: count(series.completed),
    failed: count(series.failed),
    waiting: level(series.waiting),
    waitMs: times(series.waitMs),
    callMs: times(series.callMs),
    status: Object.fromEntries(answers) as StatusSeries,
  };
}

function add(sum: number, value: number): number {
  return sum + value;
}
