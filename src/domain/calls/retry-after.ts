import { answerHeader, type EndpointAnswer } from './delivery.ts';

const SECOND = 1000;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The three forms of a date in HTTP (RFC 9110, 5.6.7); all are in GMT. */
const DATE_FORMS = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/**
 * How long (ms) an answer asks not to be called, by `Retry-After` in seconds or as a date; a date in the past means 0.
 * Undefined without the header, and when it cannot be parsed.
 *
 * @param now epoch ms.
 */
export function retryAfter(answer: EndpointAnswer, now: number): number | undefined {
  const value = answerHeader(answer, 'retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * SECOND;
  const date = httpDate(value, now);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** Epoch milliseconds. */
function httpDate(text: string, now: number): number | undefined {
  for (const form of DATE_FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts === undefined) continue;
    const { day = '', month = '', year = '', time = '' } = parts;
    const monthNumber = MONTHS.indexOf(month) + 1;
    const date = `${wholeYear(year, now)}-${twoDigits(monthNumber)}-${twoDigits(day.trim())}`;
    const parsed = Date.parse(`${date}T${time}Z`);
    return Number.isNaN(parsed) ? undefined : parsed;
  }
  return undefined;
}

/** A two-digit year that appears to be more than 50 years ahead belongs to the previous century. */
function wholeYear(year: string, now: number): string {
  if (year.length === 4) return year;
  const current = new Date(now).getUTCFullYear();
  const sameCentury = current - (current % 100) + Number(year);
  return String(sameCentury > current + 50 ? sameCentury - 100 : sameCentury);
}

function twoDigits(number: number | string): string {
  return String(number).padStart(2, '0');
}
