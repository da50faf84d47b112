import {
  piecesOfAdd,
  type RememberedAdd,
  type RememberedJob,
} from '../../../../domain/records/remembered-add.ts';
import type { RememberedAdds } from '../../../../domain/transitions/queue-state.ts';
import { KeyedRecords } from '../records/keyed-records.ts';

/** An add as it is written. */
export interface AddRecord extends Omit<RememberedAdd, 'existing'> {
  readonly existing: readonly (readonly [position: number, job: RememberedJob])[];
}

/** The adds of one queue that may be repeated, by their keys. */
export class StoredAdds extends KeyedRecords<RememberedAdd> implements RememberedAdds {
  #pieces = 0;

  get pieces(): number {
    return this.#pieces;
  }

  override restore(key: string, add: RememberedAdd): void {
    super.restore(key, add);
    this.#pieces += piecesOfAdd(add);
  }

  override replace(id: string, record: RememberedAdd | undefined): void {
    this.remove(id);
    if (record !== undefined) this.restore(id, record);
  }

  override remove(key: string): boolean {
    const add = this.find(key);
    if (add !== undefined) this.#pieces -= piecesOfAdd(add);
    return super.remove(key);
  }

  record(key: string): AddRecord | undefined {
    const add = this.find(key);
    return add && { ...add, existing: [...add.existing] };
  }
}
