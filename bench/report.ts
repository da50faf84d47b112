import { median, ratios, type Measured, type Round } from './measure.ts';

/** What a scenario found out. */
export type Result = Comparison | Figures;

/** Figures that need no comparison, some with the most or the least that is aimed for. */
export interface Figures {
  readonly scenario: string;
  readonly note?: string;
  readonly figures: readonly Figure[];
}

interface Quantity {
  readonly name: string;
  readonly unit: string;
  readonly most?: number | undefined;
  readonly least?: number | undefined;
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
  readonly note?: string;
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
  /** Microseconds of processor time per unit, of the service and of its store. */
  readonly service?: number;
  readonly store?: number;
  /** Median of the ratios to the same work done by the checkout that `--before` names. */
  readonly against?: number;
}

/** The name of the contender that is what `name` is, with another checkout's service. */
export function before(name: string): string {
  return `before: ${name}`;
}

/** The first of `measured` is the baseline. */
export function result(
  scenario: string,
  unit: string,
  measured: readonly Measured[],
  targets: Readonly<Record<string, number>> = {},
): Comparison {
  const rows = measured.map((each) => {
    const { name, rounds } = each;
    const rates = rounds.map(({ rate }) => rate);
    const target = targets[name];
    const twin = measured.find((other) => other.name === before(name));
    return {
      name,
      perSecond: Math.round(median(rates)),
      lowest: Math.round(Math.min(...rates)),
      highest: Math.round(Math.max(...rates)),
      ratio: ratio(each, measured[0]),
      ...(target !== undefined && { target }),
      ...cost(rounds, 'service'),
      ...cost(rounds, 'store'),
      ...(twin !== undefined && { against: ratio(each, twin) }),
    };
  });
  return { scenario, unit, rows };
}

function ratio(measured: Measured, baseline: Measured | undefined): number {
  return Number(median(ratios(measured, baseline)).toFixed(2));
}

function cost(
  rounds: readonly Round[],
  of: 'service' | 'store',
): Partial<Pick<ResultRow, 'service' | 'store'>> {
  const costs = rounds.map((round) => round[of]).filter((value) => value !== undefined);
  return costs.length === 0 ? {} : { [of]: Math.round(median(costs)) };
}

/** The same with what the reader has to know of the circumstances. */
export function noted(note: string, found: Result): Result {
  return { ...found, note };
}

/** A table that a person reads. */
export function table(found: Result): string {
  const { scenario, note } = found;
  const heading = note === undefined ? scenario : `${scenario} (${note})`;
  return `${heading}\n${'rows' in found ? comparisonTable(found) : figuresTable(found)}\n`;
}

function figuresTable({ figures: rows }: Figures): string {
  const lines = rows.map(({ name, value, lowest, highest, unit, most, least }) => {
    const goal = [
      ...(most === undefined ? [] : [value <= most ? `ok (<= ${most})` : `above ${most}`]),
      ...(least === undefined ? [] : [atLeast(value, least)]),
    ].join(', ');
    const range = lowest === highest ? '' : `${lowest} .. ${highest}`;
    return `  ${name.padEnd(38)}${String(value).padStart(9)} ${unit.padEnd(6)}  ${range.padStart(18)}  ${goal}`;
  });
  return lines.join('\n');
}

function atLeast(value: number, least: number): string {
  return value >= least ? `ok (>= ${least})` : `below ${least}`;
}

function comparisonTable({ unit, rows }: Comparison): string {
  const heads = [unit, 'lowest .. highest', 'ratio', 'service', 'store', 'before'];
  const widths = [9, 19, 6, 8, 8, 7];
  const line = (name: string, cells: readonly string[], goal = ''): string =>
    `  ${name.padEnd(38)}${cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ')}  ${goal}`.trimEnd();
  const lines = rows.map((row) => {
    const { name, perSecond, lowest, highest, ratio, target } = row;
    const goal = target === undefined ? '' : atLeast(ratio, target);
    const range = `${lowest} .. ${highest}`;
    const cells = [String(perSecond), range, ratio.toFixed(2)];
    cells.push(microseconds(row.service), microseconds(row.store), row.against?.toFixed(2) ?? '');
    return line(name, cells, goal);
  });
  return `${line('', heads)}\n${lines.join('\n')}`;
}

function microseconds(value: number | undefined): string {
  return value === undefined ? '' : `${value} us`;
}
