import { eventId } from '../../../../domain/events/event-id.ts';
import type { EventPosition } from '../../../../domain/events/event-position.ts';
import { positionOf, type EventData } from '../../../../domain/events/queue-event.ts';
import type { DeliveredEvent } from '../../../../domain/digests/event-digest.ts';
import { text } from '../../../../domain/values/shape.ts';
import { cursorPlace, cursorText } from '../../../shared/cursor-text.ts';

/** Writes a position as the id that clients receive and resume from. */
export type IdText = (position: EventPosition) => string;

/** The ids of one queue: the id of the event alone. */
export const idInQueue: IdText = ({ id }) => id;

/** The ids across all queues: cursors, on whose form no client may rely. */
export const idAmongAll: IdText = ({ id, queue }) => cursorText([id, queue]);

/** A cursor as clients send it. */
export const eventCursor = text(
  'be the id of an event as it was told here',
  (cursor) => cursorPosition(cursor) !== undefined,
  { pattern: '^[A-Za-z0-9_-]+$' },
);

/** The position that an id of `idAmongAll` stands for; undefined for any other text. */
export function cursorPosition(cursor: string): EventPosition | undefined {
  const place = cursorPlace(cursor);
  const [id, queue] = place ?? [];
  if (place?.length !== 2 || !eventId.accepts(id) || typeof queue !== 'string') return undefined;
  const position = { id, queue };
  return idAmongAll(position) === cursor ? position : undefined;
}

/** An event as clients receive it. */
interface FormattedEvent {
  readonly id: string;
  readonly name: DeliveredEvent['name'];
  readonly data: EventData | object;
}

/** Formats events for clients, with positions as the ids of one kind of stream. */
export class EventFormat {
  readonly idOf: IdText;
  readonly #show: (data: EventData) => object;

  /** @param show picks the details of an event that its subscribers may see. */
  constructor(idOf: IdText, show: (data: EventData) => object) {
    this.idOf = idOf;
    this.#show = show;
  }

  of(event: DeliveredEvent): FormattedEvent {
    if (event.name === 'digest') {
      return { id: this.idOf(event.position), name: event.name, data: event.data };
    }
    const id = this.idOf(positionOf(event));
    if (event.name !== 'gap') return { id, name: event.name, data: this.#show(event.data) };
    const { name, data } = event;
    const { from, to } = data;
    return { id, name, data: { ...data, from: this.idOf(from), to: this.idOf(to) } };
  }
}
