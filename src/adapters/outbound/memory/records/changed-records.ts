import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { RecordChanges, RecordKind } from './record-changes.ts';
import { writtenId } from './record-ids.ts';
import type { RecordChange } from './record.ts';

/** Reads a record as it is now; undefined when it is gone. */
export type ReadRecord = (
  kind: RecordKind,
  queue: QueueName | '',
  id: string,
) => object | undefined;

type Changed = Map<RecordKind, Set<string>>;

/** The records that a job has under its own id. */
const JOB_KINDS: readonly RecordKind[] = ['job', 'payload', 'logs'];

/**
 * The records that changed since they were last taken. They are read when they are taken, between two steps, so that a
 * record that changed several times is written once, and all that are taken are of one moment.
 */
export class ChangedRecords implements RecordChanges {
  #queues = new Map<QueueName | '', Changed>();
  /** Those that were taken, and are not on the disk yet. */
  #taken: ReadonlyMap<QueueName | '', Changed>[] = [];
  #first: () => void = () => undefined;

  /** @param first is called for the first change after each taking, and at once when there is one by now. */
  onFirst(first: () => void): void {
    this.#first = first;
    if (this.#queues.size > 0) first();
  }

  note(kind: RecordKind, queue: QueueName | '', id: string): void {
    if (this.#queues.size === 0) this.#first();
    let changed = this.#queues.get(queue);
    if (changed === undefined)
      this.#queues.set(queue, (changed = new Map<RecordKind, Set<string>>()));
    const ids = changed.get(kind);
    if (ids === undefined) changed.set(kind, new Set([id]));
    else ids.add(id);
  }

  /** Whether a record of a job has changed since. */
  hasJob(queue: QueueName | '', id: string): boolean {
    const changed = this.#queues.get(queue);
    return JOB_KINDS.some((kind) => changed?.get(kind)?.has(id) === true);
  }

  /** Whether what was given to a job is on the disk as it is now. */
  isPayloadWritten(queue: QueueName, id: string): boolean {
    return [this.#queues, ...this.#taken].every(
      (queues) => queues.get(queue)?.get('payload')?.has(id) !== true,
    );
  }

  /** @returns the changed records as they are now. */
  take(read: ReadRecord): readonly RecordChange[] {
    const changes: RecordChange[] = [];
    for (const [queue, changed] of this.#queues) {
      for (const [kind, ids] of changed) {
        for (const id of ids) {
          const record = read(kind, queue, id);
          const value = record === undefined ? undefined : JSON.stringify(record);
          changes.push({ kind, queue, id: writtenId(id), value });
        }
      }
    }
    this.#taken.push(this.#queues);
    this.#queues = new Map();
    return changes;
  }

  /** To be called once everything that was taken is on the disk. */
  written(): void {
    this.#taken = [];
  }
}
