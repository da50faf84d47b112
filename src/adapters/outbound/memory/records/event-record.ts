import type { EndingNotice } from '../../../../application/ports/job-endings-port.ts';
import { eventDetails, keptDetail } from '../../../../domain/events/event-details.ts';
import { idAfter, timeOfEvent, type EventId } from '../../../../domain/events/event-id.ts';
import type { KeptEvent } from '../../../../domain/events/kept-event.ts';
import {
  gapAt,
  type EventGap,
  type EventName,
  type EventOrGap,
} from '../../../../domain/events/queue-event.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Json } from '../../../../domain/values/json.ts';

/** An event as the store keeps it. */
export interface StoredEvent {
  readonly id: EventId;
  readonly timestamp: number;
  /** `gap` in the place of an event of which nothing may stay. */
  readonly name: EventName | EventGap['name'];
  readonly jobId: string | undefined;
  readonly group: string | undefined;
  readonly detail: string | number | undefined;
}

/**
 * An event as the record of its batch has it. Where its id is the one after that of the event before it, the record leaves
 * out the id, and with it the time of the id and a job and a group that are those of the event before; null means none.
 * Earlier versions wrote each event with its id.
 */
export type WrittenEvent = StoredEvent | FollowingEvent;

interface FollowingEvent extends Pick<StoredEvent, 'name' | 'detail'> {
  readonly id?: undefined;
  readonly timestamp: number | undefined;
  readonly jobId: string | null | undefined;
  readonly group: string | null | undefined;
}

/** How far back the events of a queue are kept: as it is written. */
export interface KeptSince {
  /** All events after this id are kept. */
  readonly keptBehind: EventId;
  readonly hasDropped: boolean;
}

/** An event as it is kept: with no more of its value than events carry. Records of earlier versions have all of it. */
export function keptEvent(event: StoredEvent): StoredEvent {
  const { name, detail } = event;
  if (name === 'gap') return event;
  const kept = keptDetail(name, detail);
  if (kept === detail) return event;
  // V8 keeps a long text for as long as there is a slice of it, so the slice is copied.
  return { ...event, detail: typeof kept === 'string' ? Buffer.from(kept).toString() : kept };
}

/** The job that an event is about, and its group. */
type OfJob = Pick<StoredEvent, 'jobId' | 'group'>;

const OF_NO_JOB: OfJob = { jobId: undefined, group: undefined };

/** The events of a batch as they are written, for JSON, which leaves out what is undefined. */
export function writtenEvents(
  first: EventId,
  events: readonly StoredEvent[],
): readonly WrittenEvent[] {
  let next = first;
  let before = OF_NO_JOB;
  return events.map((event) => {
    const written = event.id === next ? shortened(event, before) : event;
    next = idAfter(event.id);
    before = event;
    return written;
  });
}

/** The id of the last event of a batch as it was written. */
export function lastOf(first: EventId, written: readonly WrittenEvent[]): EventId {
  const known = Math.max(
    0,
    written.findLastIndex(({ id }) => id !== undefined),
  );
  return idAfter(written[known]?.id ?? first, written.length - 1 - known);
}

/** The events of a batch as they were written. */
export function eventsOf(first: EventId, written: readonly WrittenEvent[]): StoredEvent[] {
  let next = first;
  let before = OF_NO_JOB;
  return written.map((found) => {
    const event = keptEvent(found.id === undefined ? following(found, next, before) : found);
    next = idAfter(event.id);
    before = event;
    return event;
  });
}

function shortened(
  { id, timestamp, name, jobId, group, detail }: StoredEvent,
  before: OfJob,
): FollowingEvent {
  return {
    timestamp: timestamp === timeOfEvent(id) ? undefined : timestamp,
    name,
    jobId: jobId === before.jobId ? undefined : (jobId ?? null),
    group: group === before.group ? undefined : (group ?? null),
    detail,
  };
}

function following(
  { timestamp, name, jobId, group, detail }: FollowingEvent,
  id: EventId,
  before: OfJob,
): StoredEvent {
  return {
    id,
    timestamp: timestamp ?? timeOfEvent(id),
    name,
    jobId: jobId === undefined ? before.jobId : (jobId ?? undefined),
    group: group === undefined ? before.group : (group ?? undefined),
    detail,
  };
}

/** An event with what stays of it. */
export function editedEvent({ id, timestamp }: StoredEvent, edited: KeptEvent): StoredEvent {
  return { id, timestamp, ...edited, name: edited.name as StoredEvent['name'] };
}

/** An event as followers receive it. */
export function shownEvent(
  queue: QueueName,
  { id, timestamp, name, jobId, group, detail }: StoredEvent,
): EventOrGap {
  if (name === 'gap') return gapAt(queue, id);
  const written = detail === undefined ? undefined : String(detail);
  const details = eventDetails(name, written, (text) => JSON.parse(text) as Json);
  const data = {
    queue,
    timestamp,
    ...(jobId !== undefined && { jobId }),
    ...(group !== undefined && { group }),
  };
  return { id, name, data: { ...data, ...details } };
}

/** Returns the notice for clients that wait for the job to end; undefined if the event does not end a job. */
export function endingOfEvent({ name, detail }: StoredEvent): EndingNotice | undefined {
  if (name === 'completed') {
    return { state: 'completed', returnvalue: JSON.parse(String(detail ?? 'null')) as Json };
  }
  return name === 'failed' ? { state: 'failed', failedReason: String(detail ?? '') } : undefined;
}
