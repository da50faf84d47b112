import type { Figures, Percentiles, StatusSeries } from '../../../api/answers.ts';

type Series = readonly (number | null)[];

/**
 * The figures with `factor` steps combined into one: counts are added up; of levels the last remains, of times the
 * longest.
 */
export function inSteps(figures: Figures, factor: number): Figures {
  const { step, series } = figures;
  const merged = (values: Series, merge: (known: readonly number[]) => number): Series => {
    const steps: (number | null)[] = [];
    for (let start = 0; start < values.length; start += factor) {
      const known = values.slice(start, start + factor).filter((value) => value !== null);
      steps.push(known.length === 0 ? null : merge(known));
    }
    return steps;
  };
  const sums = (values: Series): Series => merged(values, (known) => known.reduce(add));
  const times = ({ p50, p95, p99 }: Percentiles): Percentiles => {
    const longest = (values: Series): Series => merged(values, (known) => Math.max(...known));
    return { p50: longest(p50), p95: longest(p95), p99: longest(p99) };
  };
  const answers = Object.entries(series.status).map(([kind, values]) => [kind, sums(values)]);
  return {
    step: step * factor,
    from: figures.from,
    series: {
      added: sums(series.added),
      completed: sums(series.completed),
      failed: sums(series.failed),
      waiting: merged(series.waiting, (known) => known.at(-1) ?? 0),
      waitMs: times(series.waitMs),
      callMs: times(series.callMs),
      status: Object.fromEntries(answers) as StatusSeries,
    },
  };
}

function add(sum: number, value: number): number {
  return sum + value;
}
