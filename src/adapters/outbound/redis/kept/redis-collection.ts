import { createHash } from 'node:crypto';
import { folderOf, type Collection } from '../../../../application/kept/collection.ts';
import type {
  CollectionPort,
  FoundRecords,
} from '../../../../application/ports/collection-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import { tooMany } from '../../../../domain/errors.ts';
import { removeRecord, replaceRecord } from '../scripts/kept.ts';

interface ReadText<Kept> {
  /** Of the text, which itself may be large. */
  readonly digest: string;
  /** Or why the text is invalid. */
  readonly result: Kept | string;
}

/** The answers of the script for a new record when there are as many as there may be, and for that of a new folder. */
const [TOO_MANY, TOO_MANY_FOLDERS] = [-1, -2];

/**
 * The records of one kind in one hash, or one of each folder, with a field for each. Each record is parsed only if its text
 * has changed: of thousands, most stay the same.
 */
export class RedisCollection<
  Kept extends object,
  Id extends string = string,
> implements CollectionPort<Kept, Id> {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #collection: Collection<Kept, Id>;
  readonly #key: string;
  /** By hash and id. */
  readonly #read = new Map<string, Map<string, ReadText<Kept>>>();

  /** @param key of the hash of the records, or of the set of their folders. */
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

  async ids(folder?: string): Promise<readonly Id[]> {
    if (folder !== undefined || this.#collection.inFolder === undefined) {
      const hash = this.#hashOf(folder);
      const ids = (await this.#commands.run((client) => client.hkeys(hash))) as Id[];
      this.#forgetOthers(hash, new Set(ids));
      return ids;
    }
    const ids: Id[] = [];
    const folders = await this.#commands.run((client) => client.smembers(this.#key));
    for (const each of folders) ids.push(...(await this.ids(each)));
    return ids;
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
    const { bound, inFolder, write = JSON.stringify, queueOf } = this.#collection;
    const [folders, folder] = [this.#key, folderOf(id)];
    const records = this.#hashOf(folder);
    const queue = queueOf?.(id);
    const { meta, registry } = queue ? this.#keys.get(queue) : { meta: records, registry: records };
    const keys = { records, folders, meta, registry };
    const [ofRecords, ofFolders] = inFolder === undefined ? [bound] : [inFolder, bound];
    const bounds = { folder, most: ofRecords?.most, mostFolders: ofFolders?.most };
    for (;;) {
      const before = await this.#text(id);
      const kept = this.#valid(id, before);
      const made = make(kept);
      if (made === undefined) return kept;
      const args = { id, before, record: write(made), ...bounds };
      const replaced = await this.#commands.call(replaceRecord, keys, args);
      const exceeded = { [TOO_MANY]: ofRecords, [TOO_MANY_FOLDERS]: ofFolders }[replaced];
      if (exceeded !== undefined) throw tooMany(exceeded.of, exceeded.most);
      if (replaced === 1) return made;
    }
  }

  change(id: Id, change: (kept: Kept) => Kept | undefined): Promise<Kept | undefined> {
    return this.put(id, (kept) => kept && change(kept));
  }

  async remove(id: Id): Promise<boolean> {
    const folder = folderOf(id);
    const records = this.#hashOf(folder);
    if (this.#collection.inFolder !== undefined) {
      return this.#commands.call(removeRecord, { records, folders: this.#key }, { id, folder });
    }
    return (await this.#commands.run((client) => client.hdel(records, id))) === 1;
  }

  #hashOf(folder = ''): string {
    return this.#collection.inFolder === undefined ? this.#key : `${this.#key}.${folder}`;
  }

  /** Empty when there is none. */
  async #text(id: Id): Promise<string> {
    const hash = this.#hashOf(folderOf(id));
    return (await this.#commands.run((client) => client.hget(hash, id))) ?? '';
  }

  /** The texts of records by their ids, empty for none; of all that there are unless ids are given. */
  async #texts(ids: readonly Id[] | undefined): Promise<readonly (readonly [Id, string])[]> {
    if (ids === undefined && this.#collection.inFolder === undefined) {
      const texts = await this.#commands.readLarge((client) => client.hgetall(this.#key));
      this.#forgetOthers(this.#key, new Set(Object.keys(texts)));
      return Object.entries(texts) as [Id, string][];
    }
    const wanted = ids ?? (await this.ids());
    const byHash = new Map<string, Id[]>();
    for (const id of wanted) keptOrMade(byHash, this.#hashOf(folderOf(id)), () => []).push(id);
    const found = new Map<Id, string>(wanted.map((id) => [id, '']));
    for (const [hash, some] of byHash) {
      const texts = await this.#commands.run((client) => client.hmget(hash, ...some));
      for (const [index, id] of some.entries()) found.set(id, texts[index] ?? '');
    }
    return [...found];
  }

  #forgetOthers(hash: string, ids: ReadonlySet<string>): void {
    const read = this.#read.get(hash);
    for (const id of read?.keys() ?? []) if (!ids.has(id)) read?.delete(id);
  }

  #valid(id: Id, text: string): Kept | undefined {
    const read = this.#parsed(id, text);
    return typeof read === 'string' ? undefined : read;
  }

  /** An unchanged text gives the same object as before. */
  #parsed(id: Id, text: string): Kept | string | undefined {
    const known = keptOrMade(this.#read, this.#hashOf(folderOf(id)), () => new Map());
    if (text === '') {
      known.delete(id);
      return undefined;
    }
    const digest = createHash('sha256').update(text).digest('base64');
    const last = known.get(id);
    if (last?.digest === digest) return last.result;
    const { read = (_: Id, record: string) => JSON.parse(record) as Kept } = this.#collection;
    const result = read(id, text);
    known.set(id, { digest, result });
    return result;
  }
}
