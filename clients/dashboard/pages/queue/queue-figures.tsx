import type { VNode } from 'preact';
import type { CallSeries, Figures } from '../../../typescript/src/api.ts';
import { durations } from '../../format/duration.ts';
import { Count } from '../../format/number.tsx';
import { Sparkline, type Series } from '../../parts/sparkline.tsx';

/** The last hour of a queue, by minutes. */
export function QueueFigures({ figures }: { readonly figures: Figures | undefined }): VNode {
  if (figures === undefined) return <dl class="figures" />;
  const { added, completed, failed, waiting, waitMs, callMs } = figures.series;
  return (
    <dl class="figures" aria-label="The last hour">
      {curve('Added', added, 'waiting', 'sum')}
      {curve('Completed', completed, 'completed', 'sum')}
      {curve('Failed', failed, 'failed', 'sum')}
      {curve('Waiting', waiting, 'active', 'latest')}
      {times('Wait', waitMs)}
      {times('Call', callMs)}
    </dl>
  );
}

/** Values over time, and their sum or the latest of them. */
function curve(name: string, values: Series, state: string, total: 'sum' | 'latest'): VNode {
  const isLevel = total === 'latest';
  const known = values.filter((value) => value !== null);
  const value = isLevel ? (known.at(-1) ?? 0) : known.reduce((sum, each) => sum + each, 0);
  return (
    <div>
      <dt>{isLevel ? `${name} now` : `${name} in 1 h`}</dt>
      <dd>
        <strong>
          <Count value={value} />
        </strong>
        <Sparkline values={values} what={`${name} a minute`} state={state} />
      </dd>
    </div>
  );
}

function times(name: string, { p50, p95, p99 }: CallSeries): VNode {
  const latest = (values: Series): number | null =>
    values.findLast((value) => value !== null) ?? null;
  return (
    <div class="times">
      <dt>{name} p50 · p95 · p99</dt>
      <dd>
        <strong class="number">{durations([p50, p95, p99].map(latest))}</strong>
      </dd>
    </div>
  );
}
