import type { EventId } from '../../../../domain/events/event-id.ts';
import type { EventEdit } from '../../../../domain/events/kept-event.ts';
import {
  editedEvent,
  eventsOf,
  lastOf,
  type StoredEvent,
  type WrittenEvent,
} from '../records/event-record.ts';
import { LeavingValue } from './leaving-value.ts';

/** About how many characters an event takes in memory. */
const EVENT_LENGTH = 300;

/** Events of a queue that one record has. They may be on a disk alone. */
export class KeptBatch extends LeavingValue<StoredEvent[]> {
  readonly first: EventId;
  last: EventId;
  count: number;

  /**
   * @param written at least one event.
   * @param isOnDisk whether they stay there: a start has so many batches that it reads no more of one than it keeps.
   */
  constructor(first: EventId, written: readonly WrittenEvent[], isOnDisk = false) {
    super(isOnDisk ? undefined : eventsOf(first, written));
    this.first = first;
    this.last = lastOf(first, written);
    this.count = written.length;
  }

  get length(): number {
    return this.count * EVENT_LENGTH;
  }

  add(event: StoredEvent): void {
    this.value.push(event);
    this.last = event.id;
    this.count += 1;
  }

  /** Edits its events, which keep their ids and times. @returns how many changed. */
  edit(edit: EventEdit): number {
    let count = 0;
    for (const [index, event] of this.value.entries()) {
      const edited = edit(event);
      if (edited === event) continue;
      this.value[index] = editedEvent(event, edited);
      count += 1;
    }
    return count;
  }
}
