import { CronExpressionParser } from 'cron-parser';
import type { CalendarPort } from '../../../application/ports/calendar-port.ts';

/** The calendar of BullMQ, so that its clients find the same times. */
export class CronCalendar implements CalendarPort {
  next(pattern: string, zone: string | undefined, time: number): number | undefined {
    const options = { currentDate: new Date(time), ...(zone !== undefined && { tz: zone }) };
    try {
      return CronExpressionParser.parse(pattern, options).next().getTime();
    } catch {
      // A pattern of another program, or one whose times have come to an end.
      return undefined;
    }
  }

  isZone(name: string): boolean {
    try {
      new Intl.DateTimeFormat('en', { timeZone: name });
      return true;
    } catch {
      return false;
    }
  }

  mistakeIn(pattern: string): string | undefined {
    try {
      CronExpressionParser.parse(pattern);
      return undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `is no cron pattern: ${reason}`;
    }
  }
}
