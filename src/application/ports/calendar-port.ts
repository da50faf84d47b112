import type { Calendar } from '../../domain/schedulers/slots.ts';

/** Evaluates cron patterns and time zones. */
export interface CalendarPort extends Calendar {
  isZone(name: string): boolean;

  /** Milliseconds that the clocks of a zone are ahead of UTC at a time (epoch ms). @throws RangeError for no zone. */
  offsetAt(zone: string, time: number): number;

  /** Why the pattern is invalid, as a phrase that follows the name of its field; undefined for a valid one. */
  mistakeIn(pattern: string): string | undefined;
}
