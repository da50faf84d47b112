import type { VNode } from 'preact';
import type { Scheduler } from '../../api/answers.ts';
import { now } from '../../format/time.tsx';

const DAY = 86_400_000;
const WIDTH = 960;
const HEIGHT = 32;

/** The known runs of the next day, each a tick: where many fall together, it is dark. */
export function DayStrip({ schedulers }: { readonly schedulers: readonly Scheduler[] }): VNode {
  const from = now.value;
  const runs = schedulers
    .filter(({ paused }) => !paused)
    .flatMap(({ next }) => next)
    .filter((at) => at >= from && at < from + DAY);
  const x = (at: number): string => (((at - from) / DAY) * WIDTH).toFixed(1);
  return (
    <figure class="timeline">
      <svg
        class="bars"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${runs.length} known runs within the next 24 hours`}
      >
        {runs.map((at, index) => (
          <path key={index} class="state-active tick" d={`M${x(at)} 2V${HEIGHT - 2}`} />
        ))}
      </svg>
      <figcaption class="muted">the next 24 hours, from now at the left</figcaption>
    </figure>
  );
}
