import { LRUCache } from 'lru-cache';
import { keptOrMade } from '../../../domain/values/kept-or-made.ts';

/** The most zones whose formats are kept: some kilobytes each. */
const MOST_ZONES = 1000;

const SECOND = 1000;

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: MOST_ZONES });

/** Milliseconds that the clocks of a zone are ahead of UTC at a time (epoch ms). @throws RangeError for no zone. */
export function offsetAt(zone: string, time: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  const format = keptOrMade<string, Intl.DateTimeFormat>(formats, zone, formatOf);
  for (const { type, value } of format.formatToParts(time)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  return asUtc - Math.floor(time / SECOND) * SECOND;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}
