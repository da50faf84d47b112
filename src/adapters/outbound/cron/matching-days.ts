import type { CronFieldCollection } from 'cron-parser';

/** The milliseconds of a day on which the clocks do not change. */
export const DAY = 86_400_000;

/**
 * The days on which a pattern has times, by the rules of the library: where both the day of the month and the day of
 * the week are restricted, either is enough. Days are counted from 1970-01-01 on, and belong to no time zone.
 */
export class MatchingDays {
  readonly #months: ReadonlySet<number>;
  readonly #days: ReadonlySet<unknown>;
  readonly #endsMonth: boolean;
  readonly #anyDay: boolean;
  readonly #weekdays: ReadonlySet<unknown>;
  readonly #lastWeekdays: ReadonlySet<number>;
  /** Which occurrence of the weekday in the month it has to be; 0 for any. */
  readonly #nth: number;
  readonly #anyWeekday: boolean;

  constructor({ month, dayOfMonth, dayOfWeek }: CronFieldCollection) {
    this.#months = new Set<number>(month.values);
    this.#days = new Set(dayOfMonth.values);
    this.#endsMonth = dayOfMonth.hasLastChar;
    this.#anyDay = dayOfMonth.isWildcard;
    this.#weekdays = new Set(dayOfWeek.values);
    const last = dayOfWeek.hasLastChar ? dayOfWeek.values : [];
    this.#lastWeekdays = new Set(last.map((value) => Number(String(value).charAt(0)) % 7));
    this.#nth = dayOfWeek.nthDay;
    this.#anyWeekday = dayOfWeek.isWildcard;
  }

  /** The first matching day from one day on and before another, undefined when no day matches. */
  first(from: number, before: number): number | undefined {
    for (let day = from; day < before;) {
      const date = new Date(day * DAY);
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
      if (!this.#months.has(month + 1)) {
        day = Date.UTC(year, month + 1, 1) / DAY;
        continue;
      }
      const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
      if (this.#matches(date.getUTCDate(), date.getUTCDay(), lastOfMonth)) return day;
      day += 1;
    }
    return undefined;
  }

  #matches(day: number, weekday: number, lastOfMonth: number): boolean {
    if (this.#anyDay && this.#anyWeekday) return true;
    if (this.#anyDay) return this.#matchesWeekday(day, weekday, lastOfMonth);
    if (this.#days.has(day) || (this.#endsMonth && day === lastOfMonth)) return true;
    return !this.#anyWeekday && this.#matchesWeekday(day, weekday, lastOfMonth);
  }

  #matchesWeekday(day: number, weekday: number, lastOfMonth: number): boolean {
    const isNth = this.#nth <= 0 || Math.ceil(day / 7) === this.#nth;
    if (isNth && this.#weekdays.has(weekday)) return true;
    return day > lastOfMonth - 7 && this.#lastWeekdays.has(weekday);
  }
}
