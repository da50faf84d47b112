import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { RecordChange, StoredRecord } from '../../memory/records/record.ts';
import { readId } from '../../memory/records/record-ids.ts';
import { kindsOf, ownerOf, type ValueKey } from '../../memory/records/value-key.ts';
import type { UnnamedJobs } from '../../memory/records/unnamed-jobs.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { TakenChange } from '../log/log-entry.ts';
import type { SharedChanges } from './shared-changes.ts';

/** The last round that changed a record with values, and the owner of these. */
interface ChangedIn {
  readonly round: number;
  /** Whether it is that round, and not an earlier one. */
  readonly isKnown: boolean;
  readonly owner: ValueKey;
}

/** A record, with its id as it is in memory. */
type ChangedKey = Readonly<Record<'kind' | 'queue' | 'id', string>>;

/** The parts of the memory of a replica. */
export interface MemoryParts {
  readonly queues: MemoryStore;
  readonly records: StoreRecords;
  readonly changes: SharedChanges;
}

/** The memory of one replica, as the log changes it. */
export class ReplicaMemory {
  readonly #parts: MemoryParts;
  /** The records with values that are not folded yet as they are now, the oldest rounds first. */
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
  take(changes: readonly TakenChange[], round: number): void {
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
      changes.map(({ kind, queue, id, value }) => ({ kind, queue, id: readId(id), value, round })),
    );
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
    let left = most;
    for (const [text, { round, owner }] of this.#unfolded) {
      if (round > folded) return false;
      if ((left -= 1) < 0) return true;
      this.#unfolded.delete(text);
      if (!this.isFolded(owner) || !changes.areValuesStored(owner)) continue;
      queues.find(owner.queue)?.stored(owner);
    }
    return false;
  }

  /** Whether all values of an owner are folded. */
  isFolded(owner: ValueKey): boolean {
    const { queue, id } = owner;
    return kindsOf(owner).every((kind) => !this.#unfolded.has(textOf({ kind, queue, id })));
  }

  /**
   * The rounds that last changed those of some records that are not folded yet.
   *
   * @returns undefined where that is not known of all of them.
   */
  unfoldedRounds(keys: readonly ChangedKey[]): readonly number[] | undefined {
    const changed = keys.flatMap((key) => this.#unfolded.get(textOf(key)) ?? []);
    if (changed.some(({ isKnown }) => !isKnown)) return undefined;
    return [...new Set(changed.map(({ round }) => round))];
  }

  /** @param last the last of the rounds that made the changes. */
  #noteUnfolded(
    last: number,
    changes: readonly (ChangedKey & Pick<TakenChange, 'round' | 'value'>)[],
  ): void {
    const roundOf = ({ round = last }: Pick<TakenChange, 'round'>): number => round;
    for (const key of changes.toSorted((one, other) => roundOf(one) - roundOf(other))) {
      const owner = isAwaitedChild(key) ? undefined : ownerOf(key.kind, key.queue, key.id);
      if (owner === undefined) continue;
      const text = textOf(key);
      this.#unfolded.delete(text);
      const isKnown = key.round !== undefined;
      this.#unfolded.set(text, { round: roundOf(key), isKnown, owner });
    }
  }
}

/** Whether it is the record of a child that has not ended, which has no value. @param value as JSON text, or parsed. */
function isAwaitedChild({ kind, value }: Pick<TakenChange, 'value'> & { kind: string }): boolean {
  if (kind !== 'child' || value === undefined || value === null) return false;
  return typeof value === 'string' ? !value.includes('"ending"') : !Object.hasOwn(value, 'ending');
}

/** The name of a queue has no colon. */
function textOf({ kind, queue, id }: ChangedKey): string {
  return `${kind}:${queue}:${id}`;
}
