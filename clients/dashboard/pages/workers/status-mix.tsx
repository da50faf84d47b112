import type { VNode } from 'preact';
import type { Figures, StatusSeries } from '../../../typescript/src/api.ts';
import { exactNumber } from '../../format/number.tsx';

/** Each kind of answer, the state whose colour it has, and its name. */
const KINDS: readonly (readonly [kind: keyof StatusSeries, state: string, name: string])[] = [
  ['2xx', 'completed', '2xx'],
  ['1xx', 'waiting', '1xx'],
  ['3xx', 'prioritized', '3xx'],
  ['4xx', 'delayed', '4xx'],
  ['429', 'children', '429'],
  ['5xx', 'failed', '5xx'],
  ['none', 'text', 'no answer'],
];

/** How the endpoint answered within the last hour. */
export function StatusMix({ figures }: { readonly figures: Figures }): VNode {
  const { status } = figures.series;
  const counts = KINDS.map(
    ([kind, state, name]) =>
      [name, state, status[kind].reduce<number>((sum, each) => sum + (each ?? 0), 0)] as const,
  ).filter(([, , count]) => count > 0);
  if (counts.length === 0) return <p class="muted">It was not called in the last hour.</p>;
  return (
    <div class="mix">
      <p class="mix-bar" aria-hidden="true">
        {counts.map(([name, state, count]) => (
          <span key={name} style={{ flexGrow: count, background: `var(--${state})` }} />
        ))}
      </p>
      <p class="mix-key">
        {counts.map(([name, state, count]) => (
          <span key={name}>
            <span class="swatch" style={{ background: `var(--${state})` }} aria-hidden="true" />
            {name} <span class="number">{exactNumber(count)}</span>
          </span>
        ))}
      </p>
    </div>
  );
}
