import type { VNode } from 'preact';

const WIDTH = 120;
const HEIGHT = 24;

/** A small curve of numbers, with its ends in words. */
export function Sparkline({
  values,
  what,
  state = 'completed',
}: {
  readonly values: readonly (number | null)[];
  readonly what: string;
  readonly state?: string;
}): VNode {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    const y = HEIGHT - 1 - ((value ?? 0) / most) * (HEIGHT - 2);
    return `${(index * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  return (
    <svg
      class={`sparkline state-${state}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${what}: ${values.at(-1) ?? 0} now, ${highest} at most`}
    >
      <path class="area" d={`M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`} />
      <path class="line" d={`M${points.join('L')}`} />
    </svg>
  );
}
