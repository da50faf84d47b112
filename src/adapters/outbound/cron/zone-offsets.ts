import { LRUCache } from 'lru-cache';

/** The most zones whose formats are kept: some kilobytes each. */
const MOST_ZONES = 1000;

const SECOND = 1000;

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: MOST_ZONES });

/** Milliseconds that the clocks of a zone are ahead of UTC at a time (epoch ms). @throws RangeError for no zone. */
export function offsetAt(zone: string, time: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(time)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  return asUtc - Math.floor(time / SECOND) * SECOND;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}
