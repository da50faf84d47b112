import type { EventObserver } from '../../../application/ports/event-observer.ts';
import type { Metric } from './metric.ts';

/** How many gaps the event streams of this process had. */
export class EventGaps implements EventObserver {
  #count = 0;

  gapsReported(count: number): void {
    this.#count += count;
  }

  get metric(): Metric {
    return {
      name: 'jobgate_event_gaps_total',
      help: 'Gaps that event streams reported to their subscribers, in place of events that were lost',
      type: 'counter',
      samples: () => [{ labels: {}, value: this.#count }],
    };
  }
}
