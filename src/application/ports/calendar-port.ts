import type { Calendar } from '../../domain/slots.ts';

/** Knows cron patterns and time zones. */
export interface CalendarPort extends Calendar {
  isZone(name: string): boolean;

  /** Why the pattern means nothing, to follow the name of its field; undefined when it means something. */
  mistakeIn(pattern: string): string | undefined;
}
