import {
  comparePositions,
  rightBehind,
  type EventPosition,
} from '../../domain/events/event-position.ts';
import {
  gapBetween,
  positionOf,
  type EventGap,
  type EventOrGap,
} from '../../domain/events/queue-event.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { EventsOfAll } from '../ports/event-port.ts';

/** The gaps that a reader of all queues encounters. Each is reported once, at its position among the events. */
export class FoundGaps {
  readonly #clock: ClockPort;
  /** The start of each gap that ends after what was read so far. */
  readonly #begun = new Map<QueueName, EventPosition>();
  #isClockBehind = false;

  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  /** Whether a gap was found that ends after what was read so far. */
  get areOpen(): boolean {
    return this.#begun.size > 0;
  }

  /** The events that were read, with the gaps in between. */
  among(reading: EventsOfAll): readonly EventOrGap[] {
    const gaps = [...this.#lost(reading), ...this.#behind(reading)];
    if (gaps.length === 0) return reading.events;
    const all: EventOrGap[] = [...reading.events, ...gaps];
    return all.sort((one, other) => comparePositions(positionOf(one), positionOf(other)));
  }

  #lost({ lost, last, isEnd }: EventsOfAll): readonly EventGap[] {
    const gaps: EventGap[] = [];
    for (const { queue, from, to } of lost) {
      const start = this.#begun.get(queue) ?? from;
      const gap = gapBetween(queue, start, to, this.#clock.now());
      const isRead = comparePositions(gap.position, last) <= 0;
      if (isRead) gaps.push(gap);
      if (isRead) this.#begun.delete(queue);
      else this.#begun.set(queue, start);
    }
    if (isEnd) this.#begun.clear();
    return gaps;
  }

  /** A gap in all queues, reported once until the clock has caught up. */
  #behind({ clockBehind, last }: EventsOfAll): readonly EventGap[] {
    const wasBehind = this.#isClockBehind;
    this.#isClockBehind = clockBehind !== undefined;
    if (clockBehind === undefined || wasBehind) return [];
    const { queues, now } = clockBehind;
    const time = this.#clock.now();
    return queues.map((queue) => gapBetween(queue, now, last, time, rightBehind(last, queue)));
  }
}
