import {
  windowState,
  zoneOf,
  type Window,
  type ComputedWindow,
} from '../../domain/queues/window.ts';
import type { CalendarPort } from '../ports/calendar-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';

/** How many different windows are kept computed; many queues have the same one. */
const MOST_KNOWN = 1000;

/** The states of windows, each computed once until it changes. */
export class Windows {
  readonly #calendar: Pick<CalendarPort, 'offsetAt'>;
  readonly #clock: Pick<ClockPort, 'now'>;
  readonly #known = new Map<string, ComputedWindow>();

  constructor(calendar: Pick<CalendarPort, 'offsetAt'>, clock: Pick<ClockPort, 'now'>) {
    this.#calendar = calendar;
    this.#clock = clock;
  }

  stateOf(window: Window): ComputedWindow {
    const now = this.#clock.now();
    const key = JSON.stringify(window);
    const known = this.#known.get(key);
    if (known !== undefined && now >= (known.since ?? -Infinity)) {
      if (now < (known.changesAt ?? Infinity)) return known;
    }
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const zone = zoneOf(window);
    const state = windowState(window, (time) => this.#calendar.offsetAt(zone, time), now);
    this.#known.set(key, state);
    return state;
  }
}
