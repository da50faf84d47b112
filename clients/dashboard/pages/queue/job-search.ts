import { TIME_UNITS } from '../../../rules/time-units.ts';
import type { SearchQuery } from '../../../typescript/src/api.ts';
import { serviceTime } from '../../api/request.ts';

/** The field in which words without a field are searched: the reason of failed jobs, the name of others. */
export type FreeText = 'name' | 'reason';

const TERM = /([\w.]+):(?:"([^"]*)"|(\S+))|"([^"]*)"|(\S+)/g;

/** The terms of a search, as they were typed. */
export function termsOf(text: string): readonly string[] {
  return [...text.matchAll(TERM)].map(([term]) => term);
}

/** Reads `name:scale reason:"Not a PNG" status:503 data.customer:17 from:-1h`. */
export function parseSearch(text: string, freeText: FreeText): SearchQuery {
  const search: Record<string, string | number> = {};
  const free: string[] = [];
  for (const [whole, field, quoted, plain, quotedText, word] of text.matchAll(TERM)) {
    const value = quoted ?? plain ?? '';
    const time = field === 'from' || field === 'to' ? parseTime(value) : undefined;
    if (field === undefined) free.push(quotedText ?? word ?? '');
    else if (field === 'name' || field === 'group' || field === 'reason') search[field] = value;
    else if (field === 'status' && /^\d+$/.test(value)) search['status'] = Number(value);
    else if (time !== undefined) search[field] = time;
    else if (field.startsWith('data.')) search['data'] = `${field.slice(5)}:${value}`;
    else free.push(whole);
  }
  if (free.length > 0) search[freeText] = free.join(' ');
  return search;
}

/** A time ago, such as `-2h`, or a date. */
function parseTime(text: string): number | undefined {
  const [, amount, unit = ''] = /^-(\d+)(s|m|min|h|d)$/.exec(text) ?? [];
  if (amount !== undefined)
    return Math.round(serviceTime() - Number(amount) * (TIME_UNITS[unit] ?? 0));
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}
