import type { VNode } from 'preact';

const WIDTH = 120;
const HEIGHT = 24;

/** The path of all zeros, as most queues have. */
const FLAT = `M0 ${HEIGHT - 1}H${WIDTH}`;

/** One value for each step of time; null for a step without a value. */
export type Series = readonly (number | null)[];

/** A small curve of numbers, described in words. */
export function Sparkline({
  values,
  what,
  state = 'completed',
}: {
  readonly values: Series;
  readonly what: string;
  readonly state?: string;
}): VNode {
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  return (
    <svg
      class={`sparkline state-${state}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${what}: ${values.at(-1) ?? 0} now, ${highest} at most`}
    >
      {highest === 0 ? <path class="line" d={FLAT} /> : curve(values, highest)}
    </svg>
  );
}

function curve(values: Series, most: number): VNode {
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values
    .map((value, index) => {
      const y = HEIGHT - 1 - ((value ?? 0) / Math.max(1, most)) * (HEIGHT - 2);
      return `${(index * step).toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('L');
  return (
    <>
      <path class="area" d={`M0 ${HEIGHT}L${points}L${WIDTH} ${HEIGHT}Z`} />
      <path class="line" d={`M${points}`} />
    </>
  );
}
