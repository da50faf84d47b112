import type { VNode } from 'preact';
import type { LatestCall } from '../../../typescript/src/api.ts';
import { duration } from '../../format/duration.ts';

const HEIGHT = 64;
const WIDTH = 12;

/**
 * How long each of the latest calls took, the newest on the right. The scale is logarithmic, so that both long and
 * short ones are visible.
 */
export function CallBars({ calls }: { readonly calls: readonly LatestCall[] }): VNode {
  const longest = Math.max(...calls.map(({ durationMs }) => durationMs), 1);
  const failed = calls.filter(({ outcome }) => outcome !== 'completed').length;
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${calls.length * WIDTH} ${HEIGHT}`}
      style={{ maxWidth: `${calls.length * WIDTH}px` }}
      role="img"
      aria-label={`${calls.length} calls, ${failed} not completed, at most ${duration(longest)}`}
    >
      {[...calls].reverse().map(({ job, startedAt, durationMs, outcome }, index) => {
        const height = 4 + (Math.log1p(durationMs) / Math.log1p(longest)) * (HEIGHT - 4);
        return (
          <rect
            key={`${job} ${startedAt}`}
            class={`state-${outcome}`}
            x={index * WIDTH + 1}
            y={HEIGHT - height}
            width={WIDTH - 2}
            height={height}
            fill="currentColor"
          />
        );
      })}
    </svg>
  );
}
