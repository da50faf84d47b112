import type { KeptEvent } from '../../../../domain/transitions/queue-state.ts';
import { detailField } from '../../../../domain/events/event-details.ts';
import { isEventName } from '../../../../domain/events/queue-event.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { jobRecord } from '../layout/job-record.ts';
import { WRITTEN_AS, type StreamEntry } from './stream-entry.ts';

/** How many events one read takes. */
const EVENTS_PER_READ = 250;

/** Removes the kept events of a queue that are meant, in short reads. @returns how many. @throws DomainError */
export async function forgetEvents(
  { client, errors }: StoreCommands,
  stream: string,
  isMeant: (event: KeptEvent) => boolean,
): Promise<number> {
  let forgotten = 0;
  // Events that come meanwhile are of steps that come later.
  const newest = await errors.run(() => client.xrevrange(stream, '+', '-', 'COUNT', 1));
  const last = newest.at(0)?.[0];
  for (let after = '-'; last !== undefined;) {
    const entries = await errors.run(() =>
      client.xrange(stream, after, last, 'COUNT', EVENTS_PER_READ),
    );
    const ids = entries.filter((entry) => isMeantBy(isMeant, entry)).map(([id]) => id);
    if (ids.length > 0) forgotten += await errors.run(() => client.xdel(stream, ...ids));
    const end = entries.at(-1)?.[0];
    if (end === undefined || entries.length < EVENTS_PER_READ) break;
    after = `(${end}`;
  }
  return forgotten;
}

function isMeantBy(isMeant: (event: KeptEvent) => boolean, [, entry]: StreamEntry): boolean {
  const fields = jobRecord(entry ?? []);
  const name = fields.get('event') ?? '';
  if (!isEventName(name)) return false;
  return isMeant({
    name,
    jobId: fields.get('jobId'),
    group: fields.get('group'),
    detail: fields.get(WRITTEN_AS[name] ?? detailField(name) ?? ''),
  });
}
