import type { VNode } from 'preact';
import type { CallSeries, Figures } from '../../../typescript/src/api.ts';
import { durations } from '../../format/duration.ts';
import { Count } from '../../format/number.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';

/** The last hour of a queue, by minutes. */
export function QueueFigures({ figures }: { readonly figures: Figures | undefined }): VNode {
  if (figures === undefined) return <dl class="figures" />;
  const { added, completed, failed, waiting, waitMs, callMs } = figures.series;
  return (
    <dl class="figures" aria-label="The last hour">
      <Curve name="Added" values={added} state="waiting" />
      <Curve name="Completed" values={completed} state="completed" />
      <Curve name="Failed" values={failed} state="failed" />
      <Curve name="Waiting" values={waiting} state="active" isLevel />
      <Times name="Wait" percentiles={waitMs} />
      <Times name="Call" percentiles={callMs} />
    </dl>
  );
}

function Curve({
  name,
  values,
  state,
  isLevel = false,
}: {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly state: string;
  /** Whether the last value is shown rather than the sum. */
  readonly isLevel?: boolean;
}): VNode {
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

function Times({
  name,
  percentiles,
}: {
  readonly name: string;
  readonly percentiles: CallSeries;
}): VNode {
  const latest = (values: readonly (number | null)[]): number | null =>
    values.findLast((value) => value !== null) ?? null;
  return (
    <div class="times">
      <dt>{name} p50 · p95 · p99</dt>
      <dd>
        <strong class="number">
          {durations([percentiles.p50, percentiles.p95, percentiles.p99].map(latest))}
        </strong>
      </dd>
    </div>
  );
}
