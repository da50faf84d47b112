import { closeSync, openSync, rmSync } from 'node:fs';
import { createLayout } from './database-layout.ts';
import type { Database, DatabaseDriver } from './database.ts';
import { RecordReader } from './record-reader.ts';
import { RecordTable } from './record-table.ts';
import type { RecordChange } from './record.ts';
import { syncPath } from './store-files.ts';

/**
 * A copy of a table that goes on changing: pieces of the table in the order of their keys, and each change as it is
 * made, so that the copy equals the table once the last piece is copied.
 */
export class RecordCopy {
  readonly #source: RecordTable;
  readonly #reader: RecordReader;
  readonly #path: string;
  readonly #database: Database;
  readonly #table: RecordTable;
  #failure: unknown;

  private constructor(source: RecordTable, path: string, database: Database) {
    this.#source = source;
    this.#reader = new RecordReader(source);
    this.#path = path;
    this.#database = database;
    this.#table = new RecordTable(database);
  }

  /** @param path of a file that does not exist. */
  static async begin(
    source: RecordTable,
    path: string,
    driver: DatabaseDriver,
  ): Promise<RecordCopy> {
    closeSync(openSync(path, 'wx', 0o600));
    const database = await driver.openDatabase(path);
    database.exec('PRAGMA locking_mode=EXCLUSIVE');
    // The copy is synced once, when it is whole.
    database.exec('PRAGMA synchronous=OFF');
    createLayout(database);
    return new RecordCopy(source, path, database);
  }

  /** @returns false at the end. */
  copyPiece(): boolean {
    if (this.#failure !== undefined) throw this.#failure as Error;
    const piece = this.#reader.next();
    if (piece.length > 0) this.#table.write(piece);
    return piece.length > 0;
  }

  /** A failure is thrown by the next piece, since it is not one of the source. */
  apply(changes: readonly RecordChange[]): void {
    try {
      this.#table.write(changes);
    } catch (error) {
      this.#failure ??= error;
    }
  }

  /** @throws if the copy is not what the source is. */
  finish(): void {
    const { records, sum } = this.#source.totals;
    const { totals } = this.#table;
    if (this.#failure !== undefined) throw this.#failure as Error;
    if (totals.records !== records || totals.sum !== sum) {
      throw new Error(`The backup has ${totals.records} records instead of ${records}`);
    }
    this.#database.close();
    syncPath(this.#path);
  }

  discard(): void {
    this.#database.close();
    rmSync(this.#path, { force: true });
  }
}
