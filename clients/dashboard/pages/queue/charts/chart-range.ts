import type { Figures } from '../../../../typescript/src/api.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** How far back charts go, in which steps of the service, and how many of these are drawn as one. */
export interface ChartRange {
  readonly name: string;
  /** Milliseconds. */
  readonly time: number;
  readonly step: number;
  readonly factor: number;
  /** How many steps are one row of the table. */
  readonly rows: number;
}

const LAST_HOUR: ChartRange = { name: '1 h', time: HOUR, step: MINUTE, factor: 1, rows: 5 };

/** The range of a queue whose age is unknown, or that has been in use for longer than an hour. */
export const LAST_DAY: ChartRange = {
  name: '24 h',
  time: 24 * HOUR,
  step: MINUTE,
  factor: 5,
  rows: 60,
};

export const RANGES: readonly ChartRange[] = [
  LAST_HOUR,
  LAST_DAY,
  { name: '7 d', time: 168 * HOUR, step: HOUR, factor: 1, rows: 6 },
];

/** The smallest range with all that happened in the queue during the last day. */
export function fittingRange({ step, series }: Figures): ChartRange {
  const { added, completed, failed, waiting } = series;
  const first = added.findIndex((_, index) =>
    [added, completed, failed, waiting].some((values) => (values[index] ?? 0) > 0),
  );
  const age = first === -1 ? 0 : (added.length - 1 - first) * step;
  return age <= LAST_HOUR.time ? LAST_HOUR : LAST_DAY;
}
