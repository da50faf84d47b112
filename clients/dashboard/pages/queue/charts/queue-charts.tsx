import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Figures } from '../../../../typescript/src/api.ts';
import { apiPath, withQuery } from '../../../api/request.ts';
import { useResource } from '../../../api/resource.ts';
import { duration } from '../../../format/duration.ts';
import { exactNumber } from '../../../format/number.tsx';
import { clockTime, dateAndTime, now } from '../../../format/time.tsx';
import { goTo, query, withParameters } from '../../../navigation/route.ts';
import { fittingRange, LAST_DAY, RANGES, type ChartRange } from './chart-range.ts';
import { ChartTable } from './chart-table.tsx';
import { figuresSince, inSteps } from './figures-in-steps.ts';
import type { Line } from './draw-plot.ts';
import { Plot } from './plot.tsx';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/**
 * What the queue did over time, and how long it took; a selected period filters the jobs. Until a range is chosen, the
 * charts keep the one that fitted the queue when they were opened.
 */
export function QueueCharts({ queue }: { readonly queue: string }): VNode {
  const [opening, setOpening] = useState<ChartRange | undefined>(undefined);
  const wanted = query.value.get('range');
  const chosen = RANGES.find(({ name }) => name === wanted);
  const range = chosen ?? opening ?? LAST_DAY;
  const from = useComputed(() => Math.floor(now.value / MINUTE) * MINUTE).value - range.time;
  const { data, error, isBusy } = useResource<Figures>(
    withQuery(apiPath('queues', queue, 'figures'), { from, step: range.step }),
  );
  // Before the day is painted, since all that a young queue has is at its end.
  useLayoutEffect(() => {
    if (data === undefined || isBusy || chosen !== undefined) return;
    setOpening((before) => before ?? fittingRange(data));
  }, [data, isBusy, chosen]);
  return (
    <section class="card charts" aria-label="Charts">
      <p class="chart-head">
        {RANGES.map(({ name }) => (
          <a
            key={name}
            href={withParameters({ range: name })}
            aria-current={name === range.name ? 'true' : undefined}
          >
            {name}
          </a>
        ))}
        <span class="muted hint">Drag over a chart to list the jobs that were added then.</span>
      </p>
      {data === undefined ? (
        <p class="muted">{error?.message}</p>
      ) : (
        <Charts read={data} from={from} range={range} />
      )}
    </section>
  );
}

function Charts({
  read,
  from,
  range: { factor, rows },
}: {
  readonly read: Figures;
  /** Of the figures that were read, only those since then are drawn. */
  readonly from: number;
  readonly range: ChartRange;
}): VNode {
  const [pointed, setPointed] = useState<number | null>(null);
  const figures = useMemo(() => figuresSince(from, read), [from, read]);
  const drawn = useMemo(() => inSteps(figures, factor), [figures, factor]);
  const [times, jobs, levels] = useMemo(() => linesOf(drawn), [drawn]);
  const index = pointed ?? times.length - 1;
  const at = (times[index] ?? 0) * 1000;
  const moment = drawn.step >= HOUR ? dateAndTime(at).slice(0, 16) : clockTime(at).slice(0, 5);
  const charts = [
    { name: `Jobs in ${duration(drawn.step)}`, lines: jobs, least: 4, text: exactNumber },
    { name: 'Times, p95', lines: levels, least: 10, text: duration },
  ];
  return (
    <>
      <div class="chart-pair">
        {charts.map(({ name, lines, least, text }) => (
          <figure key={name}>
            <figcaption>
              <strong>{name}</strong>
              {lines.map(({ label, state, values }) => (
                <span key={label} class={`key state-${state}`}>
                  {label} <span class="number">{textOf(values[index], text)}</span>
                </span>
              ))}
              <span class="muted number">{moment}</span>
            </figcaption>
            <Plot
              times={times}
              lines={lines}
              options={{ least, text, pointed: setPointed, selected: listJobsOf }}
            />
          </figure>
        ))}
      </div>
      <ChartTable figures={inSteps(figures, rows)} />
    </>
  );
}

function linesOf({
  from,
  step,
  series,
}: Figures): readonly [readonly number[], readonly Line[], readonly Line[]] {
  const times = series.added.map((_, index) => (from + index * step) / 1000);
  return [
    times,
    [
      { label: 'waiting', state: 'waiting', values: series.waiting, isArea: true },
      { label: 'completed', state: 'completed', values: series.completed },
      { label: 'failed', state: 'failed', values: series.failed, isDashed: true },
    ],
    [
      { label: 'wait', state: 'delayed', values: series.waitMs.p95 },
      { label: 'call', state: 'active', values: series.callMs.p95, isDashed: true },
    ],
  ];
}

function textOf(value: number | null | undefined, text: (value: number) => string): string {
  return value === null || value === undefined ? '–' : text(value);
}

/** Puts the period into the search of the page, in place of any other. */
function listJobsOf(from: number, to: number): void {
  const others = (query.value.get('search') ?? '').replace(/\b(?:from|to):\S+\s*/g, '').trim();
  const time = `from:${new Date(from).toISOString()} to:${new Date(to).toISOString()}`;
  goTo(withParameters({ search: `${others} ${time}`.trim(), start: undefined, tab: undefined }));
}
