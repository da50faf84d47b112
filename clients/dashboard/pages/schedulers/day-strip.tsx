import type { VNode } from 'preact';
import type { ListedScheduler } from '../../../typescript/src/api.ts';
import { clockTime, now } from '../../format/time.tsx';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WIDTH = 960;
const HEIGHT = 32;

/** How many hours apart the labels of the strip are. */
const LABELLED = 4;

/** The most ticks of one scheduler: more than these are drawn as a band. */
const TICKS = 480;

/** The runs of the next day, each as a tick: where many coincide, the strip is dark. */
export function DayStrip({
  schedulers,
}: {
  readonly schedulers: readonly ListedScheduler[];
}): VNode {
  const from = now.value;
  const runs = schedulers
    .filter(({ paused }) => !paused)
    .flatMap((scheduler) => runsUntil(scheduler, from + DAY))
    .filter((at) => at >= from && at < from + DAY);
  const x = (at: number): string => (((at - from) / DAY) * WIDTH).toFixed(1);
  const firstHour = Math.ceil(from / HOUR) * HOUR;
  const hours = Array.from(
    { length: 24 / LABELLED },
    (_, each) => firstHour + each * LABELLED * HOUR,
  );
  return (
    <figure class="timeline">
      <svg
        class="bars"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${runs.length} runs within the next 24 hours`}
      >
        {hours.map((at) => (
          <path key={at} class="hour" d={`M${x(at)} 0V${HEIGHT}`} />
        ))}
        <path
          class="state-active tick"
          d={runs.map((at) => `M${x(at)} 4V${HEIGHT - 4}`).join('')}
        />
      </svg>
      <p class="hours" aria-hidden="true">
        {hours.map((at) => (
          <span key={at} style={{ left: `${((at - from) / DAY) * 100}%` }}>
            {clockTime(at).slice(0, 5)}
          </span>
        ))}
      </p>
      <figcaption class="muted">The next 24 hours, from now at the left</figcaption>
    </figure>
  );
}

/** The service returns the next five; if they are evenly spaced, the others follow from them. */
function runsUntil({ next }: ListedScheduler, end: number): readonly number[] {
  const [first, second] = next;
  const last = next.at(-1);
  if (first === undefined || second === undefined || last === undefined) return next;
  const step = second - first;
  const isEven = next.every((at, index) => at === first + index * step);
  const count = Math.min(TICKS, Math.floor((end - first) / step) + 1);
  return isEven && last < end
    ? Array.from({ length: count }, (_, run) => first + run * step)
    : next;
}
