import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { RecordChange, StoredRecord } from '../../memory/records/record.ts';
import { readId } from '../../memory/records/record-ids.ts';
import type { UnnamedJobs } from '../../memory/records/unnamed-jobs.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { TakenChange } from '../log/log-entry.ts';
import type { SharedChanges } from './shared-changes.ts';
import { UnfoldedValues } from './unfolded-values.ts';

/** The parts of the memory of a replica. */
export interface MemoryParts {
  readonly queues: MemoryStore;
  readonly records: StoreRecords;
  readonly changes: SharedChanges;
}

/** The memory of one replica, as the log changes it. */
export class ReplicaMemory {
  readonly #parts: MemoryParts;
  readonly unfolded = new UnfoldedValues();

  constructor(parts: MemoryParts) {
    this.#parts = parts;
  }

  /** Takes records as they are read at the start. */
  restore(found: readonly StoredRecord[]): void {
    const { records, changes } = this.#parts;
    changes.whileReplacing(() => {
      for (const { kind, queue, id, value } of found) {
        records.restore(kind, readId(queue) as QueueName | '', readId(id), JSON.parse(value));
      }
    });
  }

  /** See `readUnnamed`. */
  unnamed(): UnnamedJobs {
    return [...this.#parts.queues.unnamed()];
  }

  /** To be called once all folded records are restored. */
  restored(): void {
    const { records, queues, changes } = this.#parts;
    changes.whileReplacing(() => {
      records.restored();
      queues.restored();
    });
  }

  /** Takes what other replicas changed up to a round, and announces it. The changes are in the order of their kinds. */
  take(changes: readonly TakenChange[], round: number): void {
    const { records, queues } = this.#parts;
    const announce = this.#parts.changes.whileReplacing(() => {
      for (const { kind, queue, id, value } of changes) {
        records.replace(kind, queue as QueueName | '', id, value ?? undefined);
      }
      records.restored();
      return queues.replaced();
    });
    for (const change of changes) this.unfolded.note(change, change.id, change.round ?? -round);
    announce();
  }

  /** Takes what the steps changed. */
  takeChanges(): readonly RecordChange[] {
    const { records, changes } = this.#parts;
    return changes.take((kind, queue, id) => records.read(kind, queue, id));
  }

  /** To be called when the steps of a round count, or never happened. */
  endSteps(isCounted: boolean, changes: readonly RecordChange[], round: number): void {
    const { changes: ofReplica } = this.#parts;
    if (!isCounted) {
      ofReplica.lost();
      return;
    }
    ofReplica.written();
    for (const change of changes) this.unfolded.note(change, readId(change.id), round);
  }

  /**
   * Records up to a round are folded: they are read where that is needed. What a step changed since stays until its round
   * is folded, too.
   *
   * @param most how many it looks at.
   * @returns whether there may be more.
   */
  folded(folded: number, most = Infinity): boolean {
    const { changes, queues } = this.#parts;
    return this.unfolded.forget(folded, most, (owner) => {
      if (changes.areValuesStored(owner)) queues.find(owner.queue)?.stored(owner);
    });
  }
}
