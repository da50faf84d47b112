import { nameLayout } from './database-layout.ts';
import { DatabaseError } from './database.ts';
import type { Database, PreparedStatement, SqlRow } from './database.ts';
import { recordChecksum } from './record-checksum.ts';
import type { RecordKey } from '../../memory/records/record.ts';
import { nameOfKey } from './record-key.ts';
import type { RecordChange, StoredRecord, Values } from '../../memory/records/record.ts';

/** What each transaction writes beside its records, so that missing ones are noticed. */
export interface Totals {
  /** How many transactions were committed. */
  readonly sequence: number;
  readonly records: number;
  /** The sum of all checksums, modulo 2^32. */
  readonly sum: number;
}

/** A record that changed: its checksum before and now; undefined where it is not there. */
export interface ChangedChecksum {
  readonly key: RecordKey;
  readonly before: number | undefined;
  readonly checksum: number | undefined;
}

/** Reads the records while others are written. */
export interface ReadsWhileWritten {
  changed(record: ChangedChecksum): void;
}

const KEY = 'kind = ? AND queue = ? AND id = ?';
const READ = 'SELECT kind, queue, id, value, checksum FROM records';
const ORDER = 'ORDER BY kind, queue, id';

/** Characters of a value that SQLite gets as text, at most. */
const LONGEST_TEXT = 10_000;

/** A value as SQLite gets it. */
type BoundText = string | Uint8Array;

/** The records of a database that has the layout. @throws DatabaseError */
export class RecordTable {
  readonly #database: Database;
  readonly #find: PreparedStatement;
  readonly #findMany: PreparedStatement;
  readonly #put: PreparedStatement;
  readonly #delete: PreparedStatement;
  readonly #updateTotals: PreparedStatement;
  readonly #opened: number;
  #totals: Totals;
  #reader: ReadsWhileWritten | undefined;
  /** The checksum of the record that the last `put` replaced, if there was one. */
  #replaced: number | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare(`SELECT value, checksum FROM records WHERE ${KEY}`);
    this.#findMany = database.prepare(
      'SELECT records.value, checksum FROM json_each(?) AS ids ' +
        'LEFT JOIN records ON kind = ? AND queue = ? AND records.id = ids.value',
    );
    // Reports the checksum of the replaced record. Another statement to look for it would cost as much as the write.
    database.define('replacing', (checksum, by) => {
      this.#replaced = checksum;
      return by;
    });
    this.#put = database.prepare(
      'INSERT INTO records VALUES(?, ?, ?, CAST(? AS TEXT), ?) ON CONFLICT(kind, queue, id) DO UPDATE ' +
        'SET value = excluded.value, checksum = replacing(records.checksum, excluded.checksum)',
    );
    this.#delete = database.prepare(`DELETE FROM records WHERE ${KEY} RETURNING checksum`);
    this.#updateTotals = database.prepare('UPDATE totals SET sequence = ?, records = ?, sum = ?');
    this.#totals = readTotals(database);
    this.#opened = this.#totals.sequence;
  }

  get totals(): Totals {
    return this.#totals;
  }

  /** Has a reader informed of what changes while it reads. */
  readBy(reader: ReadsWhileWritten | undefined): void {
    this.#reader = reader;
  }

  /** One transaction: all changes are stored, or none. */
  write(changes: readonly RecordChange[]): void {
    const checksums: ChangedChecksum[] = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      // Not as it is opened, which a full disk must not prevent.
      if (this.#totals.sequence === this.#opened) nameLayout(this.#database);
      const totals = this.#apply(changes, checksums);
      this.#updateTotals.run(totals.sequence, totals.records, totals.sum);
      this.#database.exec('COMMIT');
      this.#totals = totals;
      for (const each of checksums) this.#reader?.changed(each);
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** The values of records. @throws DatabaseError `damaged` if one is not what was written. */
  find(keys: readonly RecordKey[]): Values {
    return this.#rowsOf(keys).map((row, index) => {
      const key = keys[index] as RecordKey;
      if ((row?.['value'] ?? null) === null) return undefined;
      const record = recordOf({ ...key, ...row });
      if (record === undefined) throw new DatabaseError('damaged', `${nameOfKey(key)} is altered`);
      return record.value;
    });
  }

  /** The value and the checksum of each key. One statement for keys that differ in their ids takes half the time. */
  #rowsOf(keys: readonly RecordKey[]): readonly (SqlRow | undefined)[] {
    const [{ kind, queue } = { kind: '', queue: '' }, second] = keys;
    if (second === undefined || keys.some((key) => key.kind !== kind || key.queue !== queue)) {
      return keys.map((key) => this.#find.all(key.kind, key.queue, key.id)[0]);
    }
    return this.#findMany.all(JSON.stringify(keys.map(({ id }) => id)), kind, queue);
  }

  /** The rows in the order of their keys, from the one after `key`, or from the first. */
  rowsAfter(key?: RecordKey): Iterable<SqlRow> {
    if (key === undefined) return this.#database.rows(`${READ} ${ORDER}`);
    const { kind, queue, id } = key;
    const after = `${READ} WHERE (kind, queue, id) > (?, ?, ?) ${ORDER}`;
    return this.#database.rows(after, kind, queue, id);
  }

  #apply(changes: readonly RecordChange[], checksums: ChangedChecksum[]): Totals {
    let { records, sum } = this.#totals;
    for (const { kind, queue, id, value: text } of changes) {
      const value = text === undefined ? undefined : boundText(text);
      const checksum = value === undefined ? undefined : recordChecksum({ kind, queue, id, value });
      const before =
        value === undefined || checksum === undefined
          ? this.#remove(kind, queue, id)
          : this.#store(kind, queue, id, value, checksum);
      records += Number(checksum !== undefined) - Number(before !== undefined);
      sum = modulo(sum + (checksum ?? 0) - (before ?? 0));
      if (this.#reader !== undefined)
        checksums.push({ key: { kind, queue, id }, before, checksum });
    }
    return { sequence: this.#totals.sequence + 1, records, sum };
  }

  /** @returns the checksum of the record that it replaces, if there was one. */
  #store(
    ...record: [kind: string, queue: string, id: string, value: BoundText, checksum: number]
  ): number | undefined {
    this.#replaced = undefined;
    this.#put.run(...record);
    return this.#replaced;
  }

  /** @returns the checksum of the removed record, if there was one. */
  #remove(...key: [kind: string, queue: string, id: string]): number | undefined {
    const [row] = this.#delete.all(...key);
    return row && Number(row['checksum']);
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // The failure ended the transaction already.
    }
  }
}

/** Long text as its bytes: the library in WebAssembly turns a text into these one by one. */
function boundText(text: string): BoundText {
  return text.length > LONGEST_TEXT ? Buffer.from(text) : text;
}

/** @returns the record of a row, or undefined if the row is not what was written. */
export function recordOf(row: SqlRow): StoredRecord | undefined {
  const { kind, queue, id, value, checksum } = row;
  const isText = [kind, queue, id, value].every((each) => typeof each === 'string');
  const record = { kind, queue, id, value } as StoredRecord;
  return isText && recordChecksum(record) === checksum ? record : undefined;
}

export function modulo(sum: number): number {
  return (sum + 2 ** 32) % 2 ** 32;
}

function readTotals(database: Database): Totals {
  const rows = database.prepare('SELECT sequence, records, sum FROM totals').all();
  const numbers = Object.values(rows[0] ?? {});
  const areNumbers = numbers.every((each) => Number.isSafeInteger(each));
  if (rows.length !== 1 || !areNumbers) throw new DatabaseError('damaged', 'totals');
  return rows[0] as unknown as Totals;
}
