import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { RecordChange, StoredRecord } from '../../memory/records/record.ts';
import { readId } from '../../memory/records/record-ids.ts';
import { ownerOf, type ValueKey } from '../../memory/records/value-key.ts';
import type { UnnamedJobs } from '../../memory/records/unnamed-jobs.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { LoggedChange } from '../log/log-entry.ts';
import type { SharedChanges } from './shared-changes.ts';

/** An owner of values, and the last round that changed these. */
interface ChangedIn {
  readonly round: number;
  readonly owner: ValueKey;
}

/** The parts of the memory of a replica. */
export interface MemoryParts {
  readonly queues: MemoryStore;
  readonly records: StoreRecords;
  readonly changes: SharedChanges;
}

/** The memory of one replica, as the log changes it. */
export class ReplicaMemory {
  readonly #parts: MemoryParts;
  /** The owners of values whose last records are not folded yet, the oldest rounds first. */
  readonly #unfolded = new Map<string, ChangedIn>();

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
  take(changes: readonly LoggedChange[], round: number): void {
    const { records, queues } = this.#parts;
    const announce = this.#parts.changes.whileReplacing(() => {
      for (const { kind, queue, id, value } of changes) {
        records.replace(kind, queue as QueueName | '', id, value ?? undefined);
      }
      records.restored();
      return queues.replaced();
    });
    this.#noteUnfolded(round, changes);
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
    this.#noteUnfolded(
      round,
      changes.map(({ kind, queue, id }) => ({ kind, queue, id: readId(id) })),
    );
  }

  /**
   * Records up to a round are folded: they are read where that is needed. What a step changed since stays until its round
   * is folded, too.
   */
  folded(folded: number): void {
    const { changes, queues } = this.#parts;
    for (const [text, { round, owner }] of this.#unfolded) {
      if (round > folded) return;
      this.#unfolded.delete(text);
      if (changes.areValuesStored(owner)) queues.find(owner.queue)?.stored(owner);
    }
  }

  /** Whether all values of an owner are folded. */
  isFolded(owner: ValueKey): boolean {
    return !this.#unfolded.has(textOf(owner));
  }

  #noteUnfolded(
    round: number,
    changes: readonly { kind: string; queue: string; id: string }[],
  ): void {
    for (const { kind, queue, id } of changes) {
      const owner = ownerOf(kind, queue, id);
      if (owner === undefined) continue;
      const text = textOf(owner);
      this.#unfolded.delete(text);
      this.#unfolded.set(text, { round, owner });
    }
  }
}

/** The name of a queue has no colon. */
function textOf({ of, queue, id }: ValueKey): string {
  return `${of}:${queue}:${id}`;
}
