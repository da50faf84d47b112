import { timeOfEvent } from '../../../../domain/events/event-id.ts';
import { detailField, eventDetails } from '../../../../domain/events/event-details.ts';
import type { KeptEvent } from '../../../../domain/events/kept-event.ts';
import {
  gapAt,
  isEventName,
  type EventName,
  type EventOrGap,
} from '../../../../domain/events/queue-event.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { LEFT_OUT } from '../layout/event-values.ts';
import { jobRecord, storedValue } from '../layout/job-record.ts';

/** An entry of the stream of a queue's events. */
export type StreamEntry = readonly [id: string, fields: readonly string[] | null];

/** The fields of events that BullMQ writes under another name. */
const WRITTEN_AS: Partial<Record<EventName, string>> = {
  progress: 'data',
  delayed: 'delay',
};

/** The fields of which clients of BullMQ parse the value. */
const PARSED: ReadonlySet<string> = new Set(['returnvalue', 'data']);

/** The fields of any event that are no detail of it. */
const COMMON: ReadonlySet<string> = new Set(['event', 'jobId', 'prev', 'group']);

/** The event of an entry; undefined when its name is unknown here. */
export function eventOf(queue: QueueName, [id, entry]: StreamEntry): EventOrGap | undefined {
  const fields = jobRecord(entry ?? []);
  const name = fields.get('event') ?? '';
  if (name === 'gap') return gapAt(queue, id);
  if (!isEventName(name)) return undefined;
  const jobId = fields.get('jobId');
  const group = fields.get('group');
  const written = fields.get(writtenField(name) ?? '');
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

/** An entry as an event that may be edited. What only native clients know of one is its detail, as one text. */
export function keptEvent(fields: readonly string[]): KeptEvent {
  const record = jobRecord(fields);
  const name = record.get('event') ?? '';
  const others = [...record].filter(([field]) => !COMMON.has(field)).map(([, value]) => value);
  const written = isEventName(name) ? record.get(writtenField(name) ?? '') : others.join(' ');
  return {
    name,
    jobId: record.get('jobId'),
    group: record.get('group'),
    detail: written === LEFT_OUT || written === '' ? undefined : written,
  };
}

/** The fields of an entry with what stays of its event. Native clients can read them. */
export function editedFields(fields: readonly string[], edited: KeptEvent): readonly string[] {
  if (edited.jobId === undefined) return ['event', edited.name];
  return [...jobRecord(fields)].flatMap(([field, value]) => {
    if (field === 'group') return edited.group === undefined ? [] : [field, value];
    if (COMMON.has(field) || edited.detail !== undefined) return [field, value];
    return PARSED.has(field) ? [field, LEFT_OUT] : [];
  });
}

function writtenField(name: EventName): string | undefined {
  return WRITTEN_AS[name] ?? detailField(name);
}

function valueOf(text: string): Json | undefined {
  return text === LEFT_OUT ? undefined : storedValue(text);
}
