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
    if (record.standing !== undefined || record.successor !== undefined) super.put(id, record);
    else this.remove(id);
  }

  override replace(id: string, record: DeduplicationRecord | undefined): void {
    const [before, after] = [this.find(id)?.standing?.endsAt, record?.standing?.endsAt];
    if (before !== undefined) this.#ends.delete({ at: before, id });
    if (after !== undefined) this.#ends.set({ at: after, id }, true);
    super.replace(id, record);
  }

  due(now: number): string | undefined {
    const first = this.#ends.minKey();
    return first !== undefined && first.at <= now ? first.id : undefined;
  }
}
