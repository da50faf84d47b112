import { CronDate, CronExpression, CronExpressionParser } from 'cron-parser';
import { DAY, MatchingDays } from './matching-days.ts';

/** How far ahead times are searched for, in days: ten years. */
const HORIZON = 3653;

/** A cron pattern as the library reads it. */
export class CronPattern {
  readonly #fields: CronExpression['fields'];
  readonly #days: MatchingDays;

  /** @throws Error with the reason when it is not a cron pattern. */
  constructor(text: string) {
    this.#fields = CronExpressionParser.parse(text).fields;
    this.#days = new MatchingDays(this.#fields);
  }

  /**
   * The first time of the pattern after `time` (epoch ms), undefined when there is none within ten years. The library
   * alone would go from day to day, 20 to 40 µs each, and through 10,000 of them for a pattern without a time. Of the
   * days that match, only one on which the clocks change can lack a time, so few are searched in vain.
   *
   * @throws Error for a zone that is not known, and for a time beyond all dates.
   */
  next(time: number, zone: string | undefined): number | undefined {
    const today = localDay(time, zone);
    const end = today + HORIZON;
    let day = this.#days.first(today, end);
    while (day !== undefined) {
      const found = this.#nextAround(day, time, zone);
      if (found !== undefined) return found;
      day = this.#days.first(day + 1, end);
    }
    return undefined;
  }

  /** Zones are less than a day apart, so in each of them a day begins and ends within these bounds. */
  #nextAround(day: number, time: number, zone: string | undefined): number | undefined {
    const expression = new CronExpression(this.#fields, {
      currentDate: new Date(Math.max(time, (day - 1) * DAY)),
      endDate: new Date((day + 2) * DAY),
      ...(zone !== undefined && { tz: zone }),
    });
    try {
      return expression.next().getTime();
    } catch {
      return undefined;
    }
  }
}

function localDay(time: number, zone: string | undefined): number {
  const date = new CronDate(new Date(time), zone);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY;
}
