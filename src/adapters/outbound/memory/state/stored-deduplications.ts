import type { DeduplicationRecord } from '../../../../domain/records/deduplication-record.ts';
import type { DeduplicationsState } from '../../../../domain/transitions/queue-state.ts';
import { KeyedRecords } from '../records/keyed-records.ts';
import { ByTime } from './by-time.ts';

/** What is kept of the deduplication ids of a queue, and when their times are over. */
export class StoredDeduplications
  extends KeyedRecords<DeduplicationRecord>
  implements DeduplicationsState
{
  readonly #ends = new ByTime<string>();

  override put(id: string, record: DeduplicationRecord): void {
    if (record.standing !== undefined || record.successor !== undefined) super.put(id, record);
    else this.remove(id);
  }

  override replace(id: string, record: DeduplicationRecord | undefined): void {
    this.#ends.remove(this.find(id)?.standing?.endsAt, id);
    this.#ends.add(record?.standing?.endsAt, id, id);
    super.replace(id, record);
  }

  due(now: number): string | undefined {
    return this.#ends.first(now);
  }
}
