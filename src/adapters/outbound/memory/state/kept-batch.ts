import type { EventId } from '../../../../domain/events/event-id.ts';
import type { EventEdit } from '../../../../domain/events/kept-event.ts';
import { editedEvent, type StoredEvent } from '../records/event-record.ts';

/** About how many bytes an event takes in memory. */
const EVENT_BYTES = 300;

/** Events of a queue that one record has. They may be on a disk alone. */
export class KeptBatch {
  readonly first: EventId;
  #last: EventId;
  #count: number;
  #events: StoredEvent[] | undefined;

  /** @param events at least one. */
  constructor(first: EventId, events: readonly StoredEvent[]) {
    this.first = first;
    this.#last = events.at(-1)?.id ?? first;
    this.#count = events.length;
    this.#events = [...events];
  }

  /** The same with its events on a disk. */
  static onDisk(first: EventId, events: readonly StoredEvent[]): KeptBatch {
    const batch = new KeptBatch(first, events);
    batch.shrink();
    return batch;
  }

  get last(): EventId {
    return this.#last;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether its events are in memory. */
  get isWhole(): boolean {
    return this.#events !== undefined;
  }

  /** About how many bytes its events take. */
  get length(): number {
    return this.#count * EVENT_BYTES;
  }

  /** @throws Error when they are not in memory. */
  get events(): readonly StoredEvent[] {
    return this.#atHand;
  }

  get #atHand(): StoredEvent[] {
    if (this.#events === undefined) throw new Error('Events are not in memory');
    return this.#events;
  }

  add(event: StoredEvent): void {
    this.#atHand.push(event);
    this.#last = event.id;
    this.#count += 1;
  }

  /** Edits its events, which keep their ids and times. @returns how many changed. */
  edit(edit: EventEdit): number {
    let count = 0;
    for (const [index, event] of this.#atHand.entries()) {
      const edited = edit(event);
      if (edited === event) continue;
      this.#atHand[index] = editedEvent(event, edited);
      count += 1;
    }
    return count;
  }

  /** Keeps what others need of it: the rest is on a disk. */
  shrink(): void {
    this.#events = undefined;
  }

  /** Takes back what was on a disk. */
  complete(events: readonly StoredEvent[]): void {
    this.#events = [...events];
  }
}
