import { createHash } from 'node:crypto';
import type { Collection } from '../../../../application/kept/collection.ts';
import type {
  CollectionPort,
  FoundRecords,
} from '../../../../application/ports/collection-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { replaceRecord } from '../scripts/kept.ts';

interface ReadText<Kept> {
  /** Of the text, which itself may be large. */
  readonly digest: string;
  /** Or why the text is invalid. */
  readonly result: Kept | string;
}

/** The answer of the script for a new record when there are as many as there may be. */
const TOO_MANY = -1;

/** The records of one kind in one hash, with a field for each. Each record is parsed only if its text has changed: of thousands, most stay the same. */
export class RedisCollection<
  Kept extends object,
  Id extends string = string,
> implements CollectionPort<Kept, Id> {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #collection: Collection<Kept, Id>;
  readonly #key: string;
  readonly #read = new Map<string, ReadText<Kept>>();

  /** @param key of the hash of the records. */
  constructor(
    commands: StoreCommands,
    keys: QueueKeysCache,
    collection: Collection<Kept, Id>,
    key: string,
  ) {
    this.#commands = commands;
    this.#keys = keys;
    this.#collection = collection;
    this.#key = key;
  }

  async find(id: Id): Promise<Kept | undefined> {
    return this.#valid(id, await this.#text(id));
  }

  async ids(): Promise<readonly Id[]> {
    return (await this.#commands.run((client) => client.hkeys(this.#key))) as Id[];
  }

  async list(ids?: readonly Id[]): Promise<FoundRecords<Kept, Id>> {
    const records = new Map<Id, Kept>();
    const invalid = new Map<Id, string>();
    for (const [id, text] of await this.#texts(ids)) {
      const read = this.#parsed(id, text);
      if (typeof read === 'string') invalid.set(id, read);
      else if (read !== undefined) records.set(id, read);
    }
    return { records, invalid };
  }

  async put(id: Id, make: (kept: Kept | undefined) => Kept | undefined): Promise<Kept | undefined> {
    const { bound, write = JSON.stringify, queueOf } = this.#collection;
    const records = this.#key;
    const queue = queueOf?.(id);
    const { meta, registry } = queue ? this.#keys.get(queue) : { meta: records, registry: records };
    for (;;) {
      const before = await this.#text(id);
      const kept = this.#valid(id, before);
      const made = make(kept);
      if (made === undefined) return kept;
      const args = { id, before, record: write(made), most: bound?.most };
      const replaced = await this.#commands.call(replaceRecord, { records, meta, registry }, args);
      if (replaced === TOO_MANY && bound !== undefined) throw bound.tooMany(bound.most);
      if (replaced === 1) return made;
    }
  }

  change(id: Id, change: (kept: Kept) => Kept | undefined): Promise<Kept | undefined> {
    return this.put(id, (kept) => kept && change(kept));
  }

  async remove(id: Id): Promise<boolean> {
    return (await this.#commands.run((client) => client.hdel(this.#key, id))) === 1;
  }

  /** Empty when there is none. */
  async #text(id: Id): Promise<string> {
    return (await this.#commands.run((client) => client.hget(this.#key, id))) ?? '';
  }

  /** The texts of records by their ids, empty for none; of all that there are unless ids are given. */
  async #texts(ids: readonly Id[] | undefined): Promise<readonly (readonly [Id, string])[]> {
    const key = this.#key;
    if (ids === undefined) {
      const texts = await this.#commands.readLarge((client) => client.hgetall(key));
      for (const id of this.#read.keys()) if (!Object.hasOwn(texts, id)) this.#read.delete(id);
      return Object.entries(texts) as [Id, string][];
    }
    if (ids.length === 0) return [];
    const texts = await this.#commands.run((client) => client.hmget(key, ...ids));
    return ids.map((id, index) => [id, texts[index] ?? '']);
  }

  #valid(id: Id, text: string): Kept | undefined {
    const read = this.#parsed(id, text);
    return typeof read === 'string' ? undefined : read;
  }

  /** An unchanged text gives the same object as before. */
  #parsed(id: Id, text: string): Kept | string | undefined {
    if (text === '') {
      this.#read.delete(id);
      return undefined;
    }
    const digest = createHash('sha256').update(text).digest('base64');
    const last = this.#read.get(id);
    if (last?.digest === digest) return last.result;
    const { read = (_: Id, record: string) => JSON.parse(record) as Kept } = this.#collection;
    const result = read(id, text);
    this.#read.set(id, { digest, result });
    return result;
  }
}
