import type { VNode } from 'preact';
import type { ListedHealth } from '../../../typescript/src/api.ts';

const WIDTH = 40;
const HEIGHT = 16;

/** The whole width: from 1 ms to 100 s, by powers of ten. */
const DECADES = 5;

/** The times between which most calls lie: the bar spans the median to the 95th percentile, its faint end the 99th. */
export function latencySpread({ p50, p95, p99 }: ListedHealth['latencyMs']): VNode | null {
  if (p50 === null || p95 === null || p99 === null) return null;
  const at = (time: number): number =>
    Math.min(1, Math.log10(Math.max(1, time)) / DECADES) * (WIDTH - 3);
  return (
    <svg
      class="spread state-active"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path class="axis" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
      <rect x={at(p50)} y="6" width={at(p99) - at(p50) + 3} height="4" opacity="0.4" />
      <rect x={at(p50)} y="3" width={at(p95) - at(p50) + 3} height="10" />
    </svg>
  );
}
