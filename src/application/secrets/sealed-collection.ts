import type { SecretsOfCollection } from '../kept/record-secrets.ts';
import type { CollectionPort, FoundRecords } from '../ports/collection-port.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';
import { keptSecrets, type KeptSecrets } from './kept-secrets.ts';
import { Sealing } from './sealing.ts';

/**
 * A collection whose secrets another one keeps encrypted. A record with a secret that cannot be decrypted here is marked,
 * while all others continue; it is stored as it was.
 */
export class SealedCollection<
  Kept extends object,
  Id extends string = string,
> implements CollectionPort<Kept, Id> {
  readonly #kept: CollectionPort<Kept, Id>;
  readonly #sealing: Sealing<Kept>;
  readonly #secrets: SecretsOfCollection<Kept>;
  /** Keyed by the stored object, since a store returns the same object for an unchanged record. */
  readonly #opened = new WeakMap<Kept, Kept>();

  constructor(
    kept: CollectionPort<Kept, Id>,
    secrets: SecretsOfCollection<Kept>,
    cipher: SecretCipherPort,
  ) {
    this.#kept = kept;
    this.#sealing = new Sealing(cipher, secrets);
    this.#secrets = secrets;
  }

  get secrets(): KeptSecrets {
    return keptSecrets(this.#kept, this.#sealing);
  }

  async find(id: Id): Promise<Kept | undefined> {
    return this.#open(id, await this.#kept.find(id));
  }

  ids(folder?: string): Promise<readonly Id[]> {
    return this.#kept.ids(folder);
  }

  async list(ids?: readonly Id[]): Promise<FoundRecords<Kept, Id>> {
    const { records, invalid } = await this.#kept.list(ids);
    const opened = [...records].map(([id, kept]) => [id, this.#openOne(id, kept)] as const);
    return { records: new Map(opened), invalid };
  }

  async put(id: Id, make: (kept: Kept | undefined) => Kept | undefined): Promise<Kept | undefined> {
    return this.#open(
      id,
      await this.#kept.put(id, (kept) => this.#seal(id, make(this.#open(id, kept)))),
    );
  }

  async change(id: Id, change: (kept: Kept) => Kept | undefined): Promise<Kept | undefined> {
    return this.#open(
      id,
      await this.#kept.change(id, (kept) => this.#seal(id, change(this.#openOne(id, kept)))),
    );
  }

  remove(id: Id): Promise<boolean> {
    return this.#kept.remove(id);
  }

  #seal(id: Id, record: Kept | undefined): Kept | undefined {
    return record && (this.#secrets.unmarked(record) ?? this.#sealing.sealed(record, id));
  }

  #open(id: Id, kept: Kept | undefined): Kept | undefined {
    return kept && this.#openOne(id, kept);
  }

  #openOne(id: Id, kept: Kept): Kept {
    const known = this.#opened.get(kept);
    if (known !== undefined) return known;
    const problem = this.#sealing.unreadable(kept, id);
    const record =
      problem === undefined ? this.#sealing.opened(kept, id) : this.#secrets.marked(kept, problem);
    this.#opened.set(kept, record);
    return record;
  }
}
