import type { Figures, FigureSeries } from '../../../../typescript/src/api.ts';
import type { Series } from '../../../parts/sparkline.tsx';

/** How several steps become one: counts are added up; of levels the last remains, of times the longest. */
const MERGED = {
  count: (known: readonly number[]) => known.reduce((sum, value) => sum + value),
  level: (known: readonly number[]) => known.at(-1) ?? 0,
  time: (known: readonly number[]) => Math.max(...known),
};

type Kind = keyof typeof MERGED;

/** The series that are not counts. */
const KINDS: Readonly<Record<string, Kind>> = {
  waiting: 'level',
  oldestWaiting: 'level',
  waitMs: 'time',
  callMs: 'time',
};

/** The figures with `factor` steps combined into one. */
export function inSteps({ step, from, series }: Figures, factor: number): Figures {
  const merged = (values: Series, kind: Kind): Series => {
    const steps: (number | null)[] = [];
    for (let start = 0; start < values.length; start += factor) {
      const known = values.slice(start, start + factor).filter((value) => value !== null);
      steps.push(known.length === 0 ? null : MERGED[kind](known));
    }
    return steps;
  };
  return { step: step * factor, from, series: changed(series, merged) };
}

/** The figures without the steps that begin before a time, epoch ms. */
export function figuresSince(time: number, { step, from, series }: Figures): Figures {
  const left = Math.max(0, Math.ceil((time - from) / step));
  return {
    step,
    from: from + left * step,
    series: changed(series, (values) => values.slice(left)),
  };
}

function changed(
  series: FigureSeries,
  change: (values: Series, kind: Kind) => Series,
): FigureSeries {
  const entries = Object.entries(series).map(([name, values]: [string, unknown]) => {
    const kind = KINDS[name] ?? 'count';
    if (Array.isArray(values)) return [name, change(values as Series, kind)] as const;
    const parts = Object.entries(values as Readonly<Record<string, Series>>);
    return [name, Object.fromEntries(parts.map(([part, each]) => [part, change(each, kind)]))];
  });
  return Object.fromEntries(entries) as FigureSeries;
}
