import { timeOfEvent } from '../../../../domain/event-id.ts';
import {
  isEventName,
  MAX_EVENT_VALUE,
  type EventData,
  type EventName,
  type QueueEvent,
} from '../../../../domain/queue-event.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import { cutToBytes, fitsInBytes } from '../../../../domain/text.ts';
import { jobRecord, storedNumber, storedValue } from '../layout/job-record.ts';
import { LEFT_OUT } from './told-values.ts';

/** An entry of the stream of a queue's events. */
export type StreamEntry = readonly [id: string, fields: readonly string[] | null];

type Fields = ReadonlyMap<string, string>;

/** What an event tells beside its job, by its name. Native clients write theirs as they like. */
const DETAILS: Partial<Record<EventName, (fields: Fields) => Partial<EventData>>> = {
  added: (fields) => text('name', fields.get('name')),
  progress: (fields) => value('progress', fields.get('data')),
  log: (fields) => text('line', fields.get('line')),
  completed: (fields) => value('returnvalue', fields.get('returnvalue')),
  failed: (fields) => text('failedReason', fields.get('failedReason')),
  delayed: (fields) => time(fields.get('delay')),
  held: (fields) => time(fields.get('until')),
  cancelled: (fields) => text('reason', fields.get('reason')),
};

/** The event that an entry tells; undefined for one without a name here. */
export function eventOf(queue: QueueName, [id, written]: StreamEntry): QueueEvent | undefined {
  const fields = jobRecord(written ?? []);
  const name = fields.get('event') ?? '';
  if (!isEventName(name)) return undefined;
  const jobId = fields.get('jobId');
  return {
    id,
    name,
    data: {
      queue,
      timestamp: timeOfEvent(id),
      ...(jobId !== undefined && { jobId }),
      ...DETAILS[name]?.(fields),
    },
  };
}

function text(field: keyof EventData, written: string | undefined): Partial<EventData> {
  return written === undefined ? {} : { [field]: cutToBytes(written, MAX_EVENT_VALUE) };
}

function value(field: keyof EventData, written: string | undefined): Partial<EventData> {
  if (written === undefined || written === LEFT_OUT) return {};
  return fitsInBytes(written, MAX_EVENT_VALUE) ? { [field]: storedValue(written) } : {};
}

function time(written: string | undefined): Partial<EventData> {
  const until = storedNumber(written);
  return until === undefined ? {} : { until };
}
