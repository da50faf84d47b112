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

  override replace(key: string, add: RememberedAdd | undefined): void {
    const before = this.find(key);
    if (before !== undefined) this.#pieces -= piecesOfAdd(before);
    if (add !== undefined) this.#pieces += piecesOfAdd(add);
    super.replace(key, add);
  }

  override record(key: string): AddRecord | undefined {
    const add = this.find(key);
    return add && { ...add, existing: [...add.existing] };
  }
}
