import {
  MOST_REMEMBERED,
  REMEMBERED_FOR,
  REMEMBERED_PIECE,
  type AddIdentity,
} from '../../../../domain/jobs/add-identity.ts';
import type { ChangesOfQueue } from './record-changes.ts';
import type { PolicyDefaults } from '../../../../domain/policies/policy.ts';

/** A job that existed before the add. */
export interface RememberedJob {
  readonly id: string;
  readonly isDeduplicated: boolean;
}

/** An add as the store remembers it. */
export interface RememberedAdd {
  /** The digest of its body. */
  readonly body: string;
  /** The defaults that its jobs were created with. */
  readonly defaults: PolicyDefaults;
  /** When the add was made, epoch milliseconds. */
  readonly timestamp: number;
  /** The first id that the store gave to a job without an id of its own. */
  readonly firstId: number;
  /** The jobs that had existed, by their position in the add. */
  readonly existing: ReadonlyMap<number, RememberedJob>;
}

/** The same as it is written. */
export interface AddRecord extends Omit<RememberedAdd, 'existing'> {
  readonly existing: readonly (readonly [position: number, job: RememberedJob])[];
}

/** The adds of one queue that may be repeated. */
export class RememberedAdds {
  /** By their keys, the oldest first. */
  readonly #adds = new Map<string, RememberedAdd>();
  #pieces = 0;
  readonly #changes: ChangesOfQueue;

  constructor(changes: ChangesOfQueue) {
    this.#changes = changes;
  }

  record(key: string): AddRecord | undefined {
    const add = this.#adds.get(key);
    return add && { ...add, existing: [...add.existing] };
  }

  /** To be called for the oldest first. */
  restore(key: string, { existing, ...add }: AddRecord): void {
    this.#put(key, { ...add, existing: new Map(existing) });
  }

  /** The keys that have a record. */
  get recorded(): IterableIterator<string> {
    return this.#adds.keys();
  }

  find(key: string, now: number): RememberedAdd | undefined {
    const add = this.#adds.get(key);
    return add === undefined || isExpired(add, now) ? undefined : add;
  }

  remember({ key }: AddIdentity, add: RememberedAdd, now: number): void {
    this.#forget(key);
    this.#put(key, add);
    this.#changes.note('add', key);
    for (const [oldest, each] of this.#adds) {
      if (this.#pieces <= MOST_REMEMBERED && !isExpired(each, now)) return;
      this.#forget(oldest);
    }
  }

  #put(key: string, add: RememberedAdd): void {
    this.#adds.set(key, add);
    this.#pieces += piecesOf(add);
  }

  #forget(key: string): void {
    const add = this.#adds.get(key);
    if (add === undefined) return;
    this.#adds.delete(key);
    this.#changes.note('add', key);
    this.#pieces -= piecesOf(add);
  }
}

function isExpired({ timestamp }: RememberedAdd, now: number): boolean {
  return timestamp + REMEMBERED_FOR <= now;
}

function piecesOf({ body, defaults, existing }: RememberedAdd): number {
  let size = body.length + JSON.stringify(defaults).length;
  for (const { id } of existing.values()) size += id.length;
  return Math.ceil(size / REMEMBERED_PIECE);
}
