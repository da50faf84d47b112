import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { RecordChanges, RecordKind } from './record-changes.ts';
import { writtenId } from './record-ids.ts';
import { kindsOf, type ValueKey } from './value-key.ts';
import type { RecordChange } from './record.ts';

/** In place of a record that is stored as it is now, or that never was there. */
export const NOTHING_TO_WRITE = {};

/** Reads a record as it is now; undefined when it is gone. */
export type ReadRecord = (
  kind: RecordKind,
  queue: QueueName | '',
  id: string,
) => object | undefined;

/** The ids of records, with the texts of those that need not be read. */
type Changed = Map<RecordKind, Map<string, string | undefined>>;

/**
 * The records that changed since they were last taken. They are read when they are taken, between two steps, so that a
 * record that changed several times is written once, and all that are taken are of one moment.
 */
export class ChangedRecords implements RecordChanges {
  #queues = new Map<QueueName | '', Changed>();
  /** Those that were taken, and are not on the disk yet. */
  #taken: ReadonlyMap<QueueName | '', Changed>[] = [];
  /** Announcements that wait for the changes to be stored, and for the taken ones. */
  #announcements: (() => void)[] = [];
  #takenAnnouncements: (() => void)[] = [];
  #first: () => void = () => undefined;
  #awaited: () => void = () => undefined;

  /**
   * @param first is called for the first change after each taking, and at once when there is one by now.
   * @param awaited is called for the first announcement after each taking: somebody waits for the changes.
   */
  onFirst(first: () => void, awaited: () => void): void {
    this.#first = first;
    this.#awaited = awaited;
    if (this.#queues.size > 0) first();
  }

  announce(run: () => void): void {
    if (this.#announcements.push(run) === 1) this.#awaited();
  }

  note(kind: RecordKind, queue: QueueName | '', id: string, text?: string): void {
    if (this.#queues.size === 0) this.#first();
    let changed = this.#queues.get(queue);
    if (changed === undefined) this.#queues.set(queue, (changed = new Map() as Changed));
    const texts = changed.get(kind);
    if (texts === undefined) changed.set(kind, new Map([[id, text]]));
    else texts.set(id, text);
  }

  /** Whether a record with values of an owner has changed since. */
  has(key: ValueKey): boolean {
    return has(this.#queues, key);
  }

  /** Whether the add of a job is stored. The end of a staged add is part of the step that adds its jobs. */
  isAddStored(queue: QueueName, id: string): boolean {
    return this.#isStored((queues) => {
      const changed = queues.get(queue);
      return changed?.get('payload')?.has(id) === true || changed?.has('staged') === true;
    });
  }

  /** Whether all is stored as it is now: of a job, of a queue, or of all queues. */
  isStored(queue?: QueueName, jobId?: string): boolean {
    if (queue === undefined) return this.#isStored((queues) => queues.size > 0);
    if (jobId === undefined) return this.#isStored((queues) => queues.has(queue));
    return this.isAddStored(queue, jobId) && this.areValuesStored({ of: 'job', queue, id: jobId });
  }

  /** Whether all values of an owner are stored as they are now. */
  areValuesStored(key: ValueKey): boolean {
    return this.#isStored((queues) => has(queues, key));
  }

  #isStored(isIn: (queues: ReadonlyMap<QueueName | '', Changed>) => boolean): boolean {
    return !isIn(this.#queues) && !this.#taken.some(isIn);
  }

  /** @returns the changed records as they are now. */
  take(read: ReadRecord): readonly RecordChange[] {
    const changes: RecordChange[] = [];
    for (const [queue, changed] of this.#queues) {
      for (const [kind, texts] of changed) {
        for (const [id, text] of texts) {
          const record = text === undefined ? read(kind, queue, id) : undefined;
          if (record === NOTHING_TO_WRITE) continue;
          const value = record === undefined ? text : JSON.stringify(record);
          changes.push({ kind, queue, id: writtenId(id), value });
        }
      }
    }
    this.#taken.push(this.#queues);
    this.#queues = new Map();
    this.#takenAnnouncements.push(...this.#announcements.splice(0));
    return changes;
  }

  /** To be called once everything that was taken is stored. */
  written(): void {
    this.#taken = [];
    for (const announce of this.#takenAnnouncements.splice(0)) announce();
  }

  /** To be called when what was taken is not stored, and never will be. */
  lost(): void {
    this.#taken = [];
    this.#takenAnnouncements = [];
  }
}

function has(queues: ReadonlyMap<QueueName | '', Changed>, key: ValueKey): boolean {
  const changed = queues.get(key.queue);
  if (changed === undefined) return false;
  for (const kind of kindsOf(key)) if (changed.get(kind)?.has(key.id) === true) return true;
  return false;
}
