import { carriesValue } from './event-details.ts';

/** An event of a queue as it is kept. */
export interface KeptEvent {
  /** One of ours, one that only native clients know, or `gap`. */
  readonly name: string;
  readonly jobId: string | undefined;
  readonly group: string | undefined;
  /** What it carries besides the job: text, JSON text or a time, depending on its name. */
  readonly detail: string | number | undefined;
}

/** Returns what stays of a kept event: the event itself when it is to stay as it is. */
export type EventEdit = (event: KeptEvent) => KeptEvent;

/** Stands in the place of an event of which nothing may stay: followers receive a gap. */
export const REMOVED_EVENT: KeptEvent = {
  name: 'gap',
  jobId: undefined,
  group: undefined,
  detail: undefined,
};

export function withoutDetail(event: KeptEvent): KeptEvent {
  return event.detail === undefined ? event : { ...event, detail: undefined };
}

/** Removes the values of some jobs from their events. */
export function withoutValuesOf(ids: ReadonlySet<string>): EventEdit {
  return (event) =>
    ids.has(event.jobId ?? '') && carriesValue(event.name) ? withoutDetail(event) : event;
}
