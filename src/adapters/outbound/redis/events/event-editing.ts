import { randomUUID } from 'node:crypto';
import type { ForgottenEvents } from '../../../../application/ports/erasure-port.ts';
import { compareEventIds, idAfter, type EventId } from '../../../../domain/events/event-id.ts';
import type { EventEdit } from '../../../../domain/events/kept-event.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { copyEvents } from '../scripts/events.ts';
import { editedFields, keptEvent } from './stream-entry.ts';

/** How many events one read or one run of the script takes: one to three milliseconds, by the size of their values. */
const EVENTS_PER_RUN = 250;

/** How long (ms) the store keeps a copy that nobody completes. */
const COPY_LIFE = 30_000;

/** How long (ms) a replacement is remembered: longer than any copy lasts between two runs. */
const REPLACEMENT_LIFE = 2 * COPY_LIFE;

interface Edit {
  readonly id: EventId;
  readonly fields: readonly string[];
}

interface Edits {
  readonly edits: readonly Edit[];
  readonly last: EventId | undefined;
}

/**
 * Edits the kept events of a queue, in short runs. No entry of a stream can be changed: the stream is copied, and the
 * copy takes its place if nobody else replaced it meanwhile. Entries that were added or dropped meanwhile are those of
 * the copy too.
 *
 * @param after the event behind which to begin; all unless given.
 * @throws DomainError `store-unavailable`
 */
export async function editEvents(
  store: StoreCommands,
  queue: QueueName,
  edit: EventEdit,
  after?: EventId,
): Promise<ForgottenEvents> {
  const keys = store.keysOf(queue);
  // Each time around, another replica has completed an edit of its own.
  for (;;) {
    const replaced = await store.run((client) => client.get(keys.eventsReplaced));
    const { edits, last } = await findEdits(store, keys.events, edit, after);
    if (edits.length === 0 || (await replaceEvents(store, keys, replaced ?? '', edits))) {
      return { count: edits.length, last };
    }
  }
}

async function findEdits(
  store: StoreCommands,
  stream: string,
  edit: EventEdit,
  after: EventId | undefined,
): Promise<Edits> {
  const edits: Edit[] = [];
  // Events that come meanwhile are of steps that come later.
  const newest = await store.run((client) => client.xrevrange(stream, '+', '-', 'COUNT', 1));
  const last = newest.at(0)?.[0];
  // XRANGE excludes the first id only in later versions of the store.
  for (let from = after === undefined ? '-' : idAfter(after); last !== undefined;) {
    const entries = await store.run((client) =>
      client.xrange(stream, from, last, 'COUNT', EVENTS_PER_RUN),
    );
    for (const [id, fields] of entries) {
      const event = keptEvent(fields);
      const edited = edit(event);
      if (edited !== event) edits.push({ id, fields: editedFields(fields, edited) });
    }
    const end = entries.at(-1)?.[0];
    if (end === undefined || entries.length < EVENTS_PER_RUN) break;
    from = idAfter(end);
  }
  return { edits, last };
}

/** @returns whether nobody else replaced the stream meanwhile. */
async function replaceEvents(
  store: StoreCommands,
  { events, eventsReplaced }: QueueKeys,
  replaced: string,
  edits: readonly Edit[],
): Promise<boolean> {
  const token = randomUUID();
  const keys = { events, copy: `${eventsReplaced}-${token}`, replaced: eventsReplaced };
  const lives = { life: COPY_LIFE, tokenLife: REPLACEMENT_LIFE };
  const terms = { before: replaced, token, most: EVENTS_PER_RUN, ...lives };
  let left = edits;
  for (let from = '-'; ;) {
    // One run meets no more of them.
    const some = left.slice(0, EVENTS_PER_RUN);
    const written = some.flatMap(({ id, fields }) => [id, fields.length, ...fields]);
    const copied = await store.call(copyEvents, keys, { ...terms, from }, written);
    if (typeof copied !== 'string') return copied === 1;
    from = idAfter(copied);
    left = left.filter(({ id }) => compareEventIds(id, copied) > 0);
  }
}
