import type { VNode } from 'preact';
import type { Figures } from '../../../typescript/src/api.ts';
import { duration } from '../../format/duration.ts';

/** The upper ends of the classes of latency, in milliseconds; the last has none. */
const CLASSES = [10, 100, 1000, 10_000, Infinity];

const CELL = 12;

/**
 * Minutes of the last hour from left to right, classes of latency from the shortest at the bottom: for each minute, the
 * cell of the median is solid, and the cells of the 95th and 99th percentiles are lighter.
 */
export function LatencyStrip({ figures }: { readonly figures: Figures }): VNode | null {
  const { p50, p95, p99 } = figures.series.callMs;
  const longest = Math.max(0, ...p99.map((value) => value ?? 0));
  if (longest === 0) return null;
  const layers = [
    [p99, 0.25],
    [p95, 0.5],
    [p50, 1],
  ] as const;
  return (
    <figure class="snippet">
      <svg
        class="heat"
        viewBox={`0 0 ${p50.length * CELL} ${CLASSES.length * CELL}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Calls by minute, the slowest of a hundred within ${duration(longest)}`}
      >
        {layers.map(([values, opacity]) =>
          values.map((value, minute) => {
            if (value === null) return null;
            const row = CLASSES.findIndex((most) => value <= most);
            return (
              <rect
                key={minute}
                x={minute * CELL + 1}
                y={(CLASSES.length - 1 - row) * CELL + 1}
                width={CELL - 2}
                height={CELL - 2}
                opacity={opacity}
              />
            );
          }),
        )}
      </svg>
      <figcaption class="muted">
        The last hour by minutes; from below: up to 10 ms, 0.1 s, 1 s, 10 s, longer. Full: half of
        the calls; lighter: the slowest.
      </figcaption>
    </figure>
  );
}
