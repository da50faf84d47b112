import { isObject, type Json } from '../values/json.ts';
import { isEventName, MAX_EVENT_VALUE, type EventData, type EventName } from './queue-event.ts';
import { cutToBytes, fitsInBytes } from '../values/text.ts';

/**
 * A text that is too long is cut; JSON that is too long is left out. Fields are JSON of several of them, under a name of
 * their own.
 */
type DetailKind = 'text' | 'json' | 'time' | 'fields';

type EventDetail = readonly [
  field: Exclude<keyof EventData, 'queue' | 'timestamp' | 'group'> | 'suspension',
  DetailKind,
];

/** The field that an event has besides its job. */
const DETAILS: Partial<Record<EventName, EventDetail>> = {
  added: ['name', 'text'],
  progress: ['progress', 'json'],
  log: ['line', 'text'],
  completed: ['returnvalue', 'json'],
  failed: ['failedReason', 'text'],
  delayed: ['until', 'time'],
  suspended: ['suspension', 'fields'],
  held: ['until', 'time'],
  cancelled: ['reason', 'text'],
};

/** The additional field of an event; undefined when it has none. */
export function detailField(name: EventName): EventDetail[0] | undefined {
  return DETAILS[name]?.[0];
}

/** Whether an event carries what a client or an endpoint said of its job. */
export function carriesValue(name: string): boolean {
  const [field, kind] = isEventName(name) ? (DETAILS[name] ?? []) : [];
  return field !== undefined && field !== 'name' && kind !== 'time';
}

/**
 * The additional field of an event as a store keeps it: of at most MAX_EVENT_VALUE bytes, so that kept events take no
 * more room however large the values of jobs are.
 *
 * @returns undefined for JSON that is left out.
 */
export function keptDetail(
  name: EventName,
  detail: string | number | undefined,
): string | number | undefined {
  if (typeof detail !== 'string' || fitsInBytes(detail, MAX_EVENT_VALUE)) return detail;
  return DETAILS[name]?.[1] === 'text' ? cutToBytes(detail, MAX_EVENT_VALUE) : undefined;
}

/**
 * Reads the additional field of an event.
 *
 * @param written the value as the store has it.
 * @param parse parses JSON that is not too long; returns undefined for what the store left out.
 */
export function eventDetails(
  name: EventName,
  written: string | undefined,
  parse: (text: string) => Json | undefined,
): Partial<EventData> {
  const detail = DETAILS[name];
  if (detail === undefined || written === undefined) return {};
  const [field, kind] = detail;
  switch (kind) {
    case 'text':
      return { [field]: cutToBytes(written, MAX_EVENT_VALUE) };
    case 'json':
    case 'fields': {
      const value = fitsInBytes(written, MAX_EVENT_VALUE) ? parse(written) : undefined;
      if (kind === 'fields') return isObject(value) ? value : {};
      return value === undefined ? {} : { [field]: value };
    }
    case 'time':
      return Number.isFinite(Number(written)) ? { [field]: Number(written) } : {};
  }
}
