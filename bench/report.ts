import { median, type Measured } from './measure.ts';

/** What a scenario found out. */
export type Result = Comparison | Figures;

/** Figures that need no comparison, some with the most that is aimed for. */
export interface Figures {
  readonly scenario: string;
  readonly figures: readonly Figure[];
}

interface Quantity {
  readonly name: string;
  readonly unit: string;
  readonly most?: number | undefined;
}

export interface Figure extends Quantity {
  /** The median of the rounds. */
  readonly value: number;
  readonly lowest: number;
  readonly highest: number;
}

/** What was measured of each quantity, once or in several rounds. */
export function figures(
  scenario: string,
  rows: readonly (Quantity & { readonly values: readonly number[] })[],
): Figures {
  const short = (value: number): number => Number(value.toFixed(2));
  return {
    scenario,
    figures: rows.map(({ values, ...quantity }) => ({
      ...quantity,
      value: short(median(values)),
      lowest: short(Math.min(...values)),
      highest: short(Math.max(...values)),
    })),
  };
}

/** Rates, and how they compare with the baseline of the same run. */
export interface Comparison {
  readonly scenario: string;
  readonly unit: string;
  readonly rows: readonly ResultRow[];
}

export interface ResultRow {
  readonly name: string;
  readonly perSecond: number;
  readonly lowest: number;
  readonly highest: number;
  /** Median of the ratios to the baseline, round by round; the baseline itself has 1. */
  readonly ratio: number;
  /** The least ratio that is aimed for. */
  readonly target?: number;
}

/** The first of `measured` is the baseline. */
export function result(
  scenario: string,
  unit: string,
  measured: readonly Measured[],
  targets: Readonly<Record<string, number>> = {},
): Comparison {
  const baseline = measured[0]?.rates ?? [];
  const rows = measured.map(({ name, rates, median: perSecond }) => {
    const target = targets[name];
    return {
      name,
      perSecond: Math.round(perSecond),
      lowest: Math.round(Math.min(...rates)),
      highest: Math.round(Math.max(...rates)),
      ratio: Number(median(rates.map((rate, round) => rate / (baseline[round] ?? 1))).toFixed(2)),
      ...(target !== undefined && { target }),
    };
  });
  return { scenario, unit, rows };
}

/** A table that a person reads. */
export function table(found: Result): string {
  return 'rows' in found ? comparisonTable(found) : figuresTable(found);
}

function figuresTable({ scenario, figures: rows }: Figures): string {
  const lines = rows.map(({ name, value, lowest, highest, unit, most }) => {
    const goal = most === undefined ? '' : value <= most ? `ok (<= ${most})` : `above ${most}`;
    const range = lowest === highest ? '' : `${lowest} .. ${highest}`;
    return `  ${name.padEnd(34)}${String(value).padStart(9)} ${unit.padEnd(6)}  ${range.padStart(18)}  ${goal}`;
  });
  return `${scenario}\n${lines.join('\n')}\n`;
}

function comparisonTable({ scenario, unit, rows }: Comparison): string {
  const lines = rows.map(({ name, perSecond, lowest, highest, ratio, target }) => {
    const goal =
      target === undefined ? '' : ratio >= target ? `ok (>= ${target})` : `below ${target}`;
    const range = `${lowest} .. ${highest}`;
    return `  ${name.padEnd(34)}${String(perSecond).padStart(9)}  ${range.padStart(19)}  ${ratio.toFixed(2).padStart(6)}  ${goal}`;
  });
  const head = `  ${''.padEnd(34)}${unit.padStart(9)}  ${'lowest .. highest'.padStart(19)}  ${'ratio'.padStart(6)}`;
  return `${scenario}\n${head}\n${lines.join('\n')}\n`;
}
