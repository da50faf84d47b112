import { LRUCache } from 'lru-cache';
import type { CalendarPort } from '../../../application/ports/calendar-port.ts';
import { keptOrMade } from '../../../domain/values/kept-or-made.ts';
import { CronPattern } from './cron-pattern.ts';
import { KnownTimes } from './known-times.ts';
import { offsetAt } from './zone-offsets.ts';

/** The most patterns, and the most patterns with a zone, that are kept parsed: some kilobytes each. */
const MOST_KNOWN = 1000;

/** The calendar of BullMQ, so that its clients find the same times. */
export class CronCalendar implements CalendarPort {
  readonly #patterns = new LRUCache<string, CronPattern>({ max: MOST_KNOWN });
  readonly #times = new LRUCache<string, KnownTimes>({ max: MOST_KNOWN });

  next(pattern: string, zone: string | undefined, time: number): number | undefined {
    try {
      return this.#timesOf(pattern, zone).after(time);
    } catch {
      // Another program stored an unknown pattern or zone.
      return undefined;
    }
  }

  isZone(name: string): boolean {
    return nameOfZone(name) !== undefined;
  }

  offsetAt(zone: string, time: number): number {
    return offsetAt(nameOfZone(zone) ?? zone, time);
  }

  mistakeIn(pattern: string): string | undefined {
    try {
      this.#read(pattern);
      return undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `is no cron pattern: ${reason}`;
    }
  }

  #timesOf(pattern: string, zone: string | undefined): KnownTimes {
    return keptOrMade<string, KnownTimes>(this.#times, `${zone ?? ''} ${pattern}`, () => {
      const read = this.#read(pattern);
      const name = zone === undefined ? undefined : (nameOfZone(zone) ?? zone);
      return new KnownTimes((time) => read.next(time, name));
    });
  }

  #read(pattern: string): CronPattern {
    return keptOrMade<string, CronPattern>(this.#patterns, pattern, () => new CronPattern(pattern));
  }
}

/**
 * The canonical name of a zone spelled in any case: the library caches each spelling for good. Undefined for an unknown
 * zone.
 */
function nameOfZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
