import { timeOfEvent } from '../../../../domain/events/event-id.ts';
import { detailField, eventDetails } from '../../../../domain/events/event-details.ts';
import {
  isEventName,
  type EventName,
  type QueueEvent,
} from '../../../../domain/events/queue-event.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { LEFT_OUT } from '../layout/event-values.ts';
import { jobRecord, storedValue } from '../layout/job-record.ts';

/** An entry of the stream of a queue's events. */
export type StreamEntry = readonly [id: string, fields: readonly string[] | null];

/** The fields of events that BullMQ writes under another name. */
export const WRITTEN_AS: Partial<Record<EventName, string>> = {
  progress: 'data',
  delayed: 'delay',
};

/** The event of an entry; undefined when its name is unknown here. */
export function eventOf(queue: QueueName, [id, entry]: StreamEntry): QueueEvent | undefined {
  const fields = jobRecord(entry ?? []);
  const name = fields.get('event') ?? '';
  if (!isEventName(name)) return undefined;
  const jobId = fields.get('jobId');
  const group = fields.get('group');
  const written = fields.get(WRITTEN_AS[name] ?? detailField(name) ?? '');
  return {
    id,
    name,
    data: {
      queue,
      timestamp: timeOfEvent(id),
      ...(jobId !== undefined && { jobId }),
      ...(group !== undefined && { group }),
      ...eventDetails(name, written, valueOf),
    },
  };
}

function valueOf(text: string): Json | undefined {
  return text === LEFT_OUT ? undefined : storedValue(text);
}
