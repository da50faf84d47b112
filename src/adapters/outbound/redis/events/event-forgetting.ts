import type { ForgottenEvents } from '../../../../application/ports/erasure-port.ts';
import { detailField } from '../../../../domain/events/event-details.ts';
import { idAfter, type EventId } from '../../../../domain/events/event-id.ts';
import type { KeptEvent } from '../../../../domain/events/kept-event.ts';
import { isEventName } from '../../../../domain/events/queue-event.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { jobRecord } from '../layout/job-record.ts';
import { WRITTEN_AS, type StreamEntry } from './stream-entry.ts';

/** How many events one read takes. */
const EVENTS_PER_READ = 250;

/**
 * Removes the kept events of a queue that are meant, in short reads.
 *
 * @param after the event behind which to begin; all unless given.
 * @throws DomainError `store-unavailable`
 */
export async function forgetEvents(
  { client, errors }: StoreCommands,
  stream: string,
  isMeant: (event: KeptEvent) => boolean,
  after?: EventId,
): Promise<ForgottenEvents> {
  let count = 0;
  // Events that come meanwhile are of steps that come later.
  const newest = await errors.run(() => client.xrevrange(stream, '+', '-', 'COUNT', 1));
  const last = newest.at(0)?.[0];
  // XRANGE excludes the first id only in later versions of the store.
  for (let from = after === undefined ? '-' : idAfter(after); last !== undefined;) {
    const entries = await errors.run(() =>
      client.xrange(stream, from, last, 'COUNT', EVENTS_PER_READ),
    );
    const ids = entries.filter(([, entry]) => isMeant(keptEvent(entry))).map(([id]) => id);
    if (ids.length > 0) count += await errors.run(() => client.xdel(stream, ...ids));
    const end = entries.at(-1)?.[0];
    if (end === undefined || entries.length < EVENTS_PER_READ) break;
    from = idAfter(end);
  }
  return { count, last };
}

function keptEvent(entry: StreamEntry[1]): KeptEvent {
  const fields = jobRecord(entry ?? []);
  const name = fields.get('event') ?? '';
  const field = isEventName(name) ? (WRITTEN_AS[name] ?? detailField(name)) : undefined;
  return {
    name,
    jobId: fields.get('jobId'),
    group: fields.get('group'),
    detail: fields.get(field ?? ''),
  };
}
