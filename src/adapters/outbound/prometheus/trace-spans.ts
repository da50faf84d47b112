import type { TracingPort } from '../../../application/ports/tracing-port.ts';
import type { Metric } from './metric.ts';

/** How many spans of traces were exported or dropped. */
export function traceSpans({ counts }: Pick<TracingPort, 'counts'>): Metric {
  return {
    name: 'jobgate_trace_spans_total',
    help: 'Spans of traces that were exported, and that were dropped since the collector did not take them',
    type: 'counter',
    samples: () =>
      (['exported', 'dropped'] as const).map((outcome) => {
        return { labels: { outcome }, value: counts()[outcome] };
      }),
  };
}
