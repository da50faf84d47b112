import { eventId } from '../../../../domain/event-id.ts';
import type { EventPosition } from '../../../../domain/event-position.ts';
import { positionOf, type EventData, type EventOrGap } from '../../../../domain/queue-event.ts';
import { text } from '../../../../domain/shape.ts';
import { cursorPlace, cursorText } from '../../../shared/cursor-text.ts';

/** How a position is told to clients, who come back with it. */
type IdText = (position: EventPosition) => string;

/** Among the events of one queue, the id says it all. */
export const idInQueue: IdText = ({ id }) => id;

/** Among those of all queues, the id is a cursor that no client is to rely on. */
export const idAmongAll: IdText = ({ id, queue }) => cursorText([id, queue]);

/** A cursor as clients send it. */
export const eventCursor = text(
  'be the id of an event as it was told here',
  (cursor) => cursorPosition(cursor) !== undefined,
  { pattern: '^[A-Za-z0-9_-]+$' },
);

/** The position that `idAmongAll` told; undefined for another text. */
export function cursorPosition(cursor: string): EventPosition | undefined {
  const place = cursorPlace(cursor);
  const [id, queue] = place ?? [];
  if (place?.length !== 2 || !eventId.accepts(id) || typeof queue !== 'string') return undefined;
  const position = { id, queue };
  return idAmongAll(position) === cursor ? position : undefined;
}

/** An event as it is told to clients. */
interface WordedEvent {
  readonly id: string;
  readonly name: EventOrGap['name'];
  readonly data: EventData | object;
}

/** What is told of events, with their positions in the words of a stream. */
export class EventWords {
  readonly idOf: IdText;

  constructor(idOf: IdText) {
    this.idOf = idOf;
  }

  of(event: EventOrGap): WordedEvent {
    const { name, data } = event;
    const id = this.idOf(positionOf(event));
    if (event.name !== 'gap') return { id, name, data };
    const { from, to } = event.data;
    return { id, name, data: { ...data, from: this.idOf(from), to: this.idOf(to) } };
  }
}
