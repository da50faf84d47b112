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
type Queues = ReadonlyMap<QueueName | '', Changed>;

/** The records that a job has under its own id. */
const JOB_KINDS: readonly RecordKind[] = ['job', 'payload', 'logs'];

/**
 * The records that changed since they were last taken. They are read when they are taken, between two steps, so that a
 * record that changed several times is written once, and all that are taken are of one moment.
 */
export class ChangedRecords implements RecordChanges {
  #queues: Map<QueueName | '', Changed> = new Map();
  #count = 0;
  /** Those that were taken, and are not on the disk yet. */
  #taken: { readonly number: number; readonly queues: Queues }[] = [];
  #takings = 0;
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
    this.#count += 1;
  }

  /** About how many records changed since they were last taken: one that changed several times may count as often. */
  get count(): number {
    return this.#count;
  }

  /** Whether a record of a job has changed, and is not on the disk as it is now. */
  hasJob(queue: QueueName, id: string): boolean {
    return JOB_KINDS.some((kind) => this.#has(kind, queue, id));
  }

  /** Whether what was given to a job is on the disk as it is now. */
  isPayloadWritten(queue: QueueName, id: string): boolean {
    return !this.#has('payload', queue, id);
  }

  #has(kind: RecordKind, queue: QueueName, id: string): boolean {
    const isIn = (queues: Queues): boolean => queues.get(queue)?.get(kind)?.has(id) === true;
    return isIn(this.#queues) || this.#taken.some(({ queues }) => isIn(queues));
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
    this.#takings += 1;
    this.#taken.push({ number: this.#takings, queues: this.#queues });
    this.#queues = new Map();
    this.#count = 0;
    return changes;
  }

  /** How many times changes have been taken. */
  get takings(): number {
    return this.#takings;
  }

  /** To be called once everything is on the disk that was taken until there had been that many takings, or until now. */
  written(takings = this.#takings): void {
    this.#taken = this.#taken.filter(({ number }) => number > takings);
  }
}
