import type { DeduplicationRecord } from '../../../../domain/records/deduplication-record.ts';
import type { DeduplicationsState } from '../../../../domain/transitions/queue-state.ts';
import { KeyedRecords } from '../records/keyed-records.ts';
import { SortedTree } from './sorted-tree.ts';

interface End {
  readonly at: number;
  readonly id: string;
}

/** What is kept of the deduplication ids of a queue, and when their times are over. */
export class StoredDeduplications
  extends KeyedRecords<DeduplicationRecord>
  implements DeduplicationsState
{
  readonly #ends = new SortedTree<End, true>(
    undefined,
    (a, b) => a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id)),
  );

  override put(id: string, record: DeduplicationRecord): void {
    this.remove(id);
    if (record.standing !== undefined || record.successor !== undefined) super.put(id, record);
  }

  override replace(id: string, record: DeduplicationRecord | undefined): void {
    this.remove(id);
    if (record !== undefined) this.restore(id, record);
  }

  override remove(id: string): boolean {
    const at = this.find(id)?.standing?.endsAt;
    if (at !== undefined) this.#ends.delete({ at, id });
    return super.remove(id);
  }

  override restore(id: string, record: DeduplicationRecord): void {
    super.restore(id, record);
    const at = record.standing?.endsAt;
    if (at !== undefined) this.#ends.set({ at, id }, true);
  }

  due(now: number): string | undefined {
    const first = this.#ends.minKey();
    return first !== undefined && first.at <= now ? first.id : undefined;
  }
}
