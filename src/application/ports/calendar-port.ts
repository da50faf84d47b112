import type { Calendar } from '../../domain/schedulers/slots.ts';

/** Reads cron patterns and time zones. */
export interface CalendarPort extends Calendar {
  isZone(name: string): boolean;

  /** Why the pattern is invalid, as it goes on after the name of its field; undefined for a valid one. */
  mistakeIn(pattern: string): string | undefined;
}
