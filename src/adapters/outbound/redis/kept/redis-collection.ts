import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { folderOf, type Collection } from '../../../../application/kept/collection.ts';
import type {
  ChangedRecords,
  CollectionPort,
  FollowedRecords,
  FoundRecords,
} from '../../../../application/ports/collection-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { AT_ONCE } from '../layout/largest-piece.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import { tooMany } from '../../../../domain/errors.ts';
import { KNOWN_CHANGES } from '../../../shared/known-changes.ts';
import { readRecords, removeRecord, replaceRecord } from '../scripts/kept.ts';

/** How many characters the records of one kind that are kept parsed have together. */
const MOST_CHARACTERS = 16_000_000;

interface ReadText<Kept> {
  /** Of the text, which itself may be large. */
  readonly digest: string;
  /** Or why the text is invalid. */
  readonly result: Kept | string;
}

/** The answers of the script for a new record when there are as many as there may be, and for that of a new folder. */
const [TOO_MANY, TOO_MANY_FOLDERS] = [-1, -2];

/** The field that counts the changes of a kind whose changes are listed. */
const COUNT = '';

/**
 * The records of one kind in one hash, or one of each folder, with a field for each. Each record is parsed only if its text
 * has changed: of thousands, most stay the same. The latest changes of a kind whose changes are listed are in a stream,
 * an entry for each that ends with the id of the record.
 */
export class RedisCollection<Kept extends object, Id extends string = string>
  implements CollectionPort<Kept, Id>, FollowedRecords<Kept, Id>
{
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #collection: Collection<Kept, Id>;
  readonly #key: string;
  /** The stream; empty for a kind whose changes are not listed. */
  readonly #changes: string;
  /** By hash and id: the latest ones. */
  readonly #read = new LRUCache<string, ReadText<Kept>>({ maxSize: MOST_CHARACTERS });

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
    this.#changes = collection.changes ? ownKey(keys.prefix, collection.changes) : '';
  }

  async find(id: Id): Promise<Kept | undefined> {
    return this.#valid(id, await this.#text(id));
  }

  async ids(folder?: string): Promise<readonly Id[]> {
    if (folder !== undefined || this.#collection.inFolder === undefined) {
      const hash = this.#hashOf(folder);
      const ids = (await this.#commands.run((client) => client.hkeys(hash))) as Id[];
      return this.#changes === '' ? ids : ids.filter((id) => id !== COUNT);
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
    const { bound, inFolder, write = JSON.stringify } = this.#collection;
    const keys = this.#keysOf(id);
    const [ofRecords, ofFolders] = inFolder === undefined ? [bound] : [inFolder, bound];
    const bounds = { folder: folderOf(id), most: ofRecords?.most, mostFolders: ofFolders?.most };
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

  remove(id: Id): Promise<boolean> {
    return this.#commands.call(removeRecord, this.#keysOf(id), { id, folder: folderOf(id) });
  }

  /** Records that change while it reads are read again as changes. */
  async changedSince(known: string | undefined): Promise<ChangedRecords<Kept, Id> | undefined> {
    const [latest] = await this.#commands.run((client) =>
      client.xrevrange(this.#changes, '+', '-', 'COUNT', 1),
    );
    const version = latest?.[0] ?? '';
    if (version === known) return undefined;
    const changed = known ? await this.#changedIds(known) : undefined;
    const { records } = await this.list(changed);
    return { version, records, removed: changed?.filter((id) => !records.has(id)) };
  }

  /**
   * The ids of the records that changed since a version; undefined when that is not known: a store that was emptied,
   * restored or failed over may have other changes.
   */
  async #changedIds(known: string): Promise<readonly Id[] | undefined> {
    const [first, ...later] = await this.#commands.run((client) =>
      client.xrange(this.#changes, known, '+', 'COUNT', KNOWN_CHANGES + 2),
    );
    if (first?.[0] !== known || later.length > KNOWN_CHANGES) return undefined;
    return [...new Set(later.map(([, fields]) => fields.at(-1) as Id))];
  }

  /** A record that has no queue, no folder or no list of changes has the key of the records in place of that. */
  #keysOf(id: Id) {
    const records = this.#hashOf(folderOf(id));
    const queue = this.#collection.queueOf?.(id);
    const { meta, registry } = queue ? this.#keys.get(queue) : { meta: records, registry: records };
    return { records, folders: this.#key, changes: this.#changes || records, meta, registry };
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
    if (ids === undefined && this.#collection.inFolder === undefined && this.#changes === '') {
      const texts = await this.#commands.readLarge((client) => client.hgetall(this.#key));
      return Object.entries(texts) as [Id, string][];
    }
    const wanted = ids ?? (await this.ids());
    const byHash = new Map<string, Id[]>();
    for (const id of wanted) keptOrMade(byHash, this.#hashOf(folderOf(id)), () => []).push(id);
    const found = new Map<Id, string>(wanted.map((id) => [id, '']));
    for (const [hash, some] of byHash) {
      for (let next = 0; next < some.length;) {
        const piece = some.slice(next, next + AT_ONCE);
        const texts = await this.#commands.call(readRecords, { records: hash }, {}, piece);
        for (const text of texts) found.set(some[next++] as Id, text);
      }
    }
    return [...found];
  }

  #valid(id: Id, text: string): Kept | undefined {
    const read = this.#parsed(id, text);
    return typeof read === 'string' ? undefined : read;
  }

  /** An unchanged text gives the same object as before. */
  #parsed(id: Id, text: string): Kept | string | undefined {
    const key = `${this.#hashOf(folderOf(id))} ${id}`;
    if (text === '') {
      this.#read.delete(key);
      return undefined;
    }
    const digest = createHash('sha256').update(text).digest('base64');
    const last = this.#read.get(key);
    if (last?.digest === digest) return last.result;
    const { read = (_: Id, record: string) => JSON.parse(record) as Kept } = this.#collection;
    const result = read(id, text);
    this.#read.set(key, { digest, result }, { size: text.length });
    return result;
  }
}
