import { closeSync, openSync, rmSync } from 'node:fs';
import { createLayout } from './database-layout.ts';
import type { Database, DatabaseDriver } from './database.ts';
import { RecordTable } from './record-table.ts';

/** A new database file, whole once it is finished, without a log. */
export class DatabaseCopy {
  readonly table: RecordTable;
  readonly #path: string;
  readonly #database: Database;
  #isOpen = true;

  private constructor(path: string, database: Database) {
    this.#path = path;
    this.#database = database;
    this.table = new RecordTable(database);
  }

  /** @param path of a file that does not exist. */
  static async begin(path: string, driver: DatabaseDriver): Promise<DatabaseCopy> {
    closeSync(openSync(path, 'wx', 0o600));
    const database = await driver.openDatabase(path);
    database.exec('PRAGMA locking_mode=EXCLUSIVE');
    // A copy that fails is discarded, so that nothing needs to be undone in it.
    database.exec('PRAGMA journal_mode=OFF');
    database.exec('PRAGMA synchronous=OFF');
    createLayout(database);
    return new DatabaseCopy(path, database);
  }

  /** Completes the file. It is not on the disk yet. */
  finish(): void {
    this.#close();
  }

  discard(): void {
    this.#close();
    rmSync(this.#path, { force: true });
  }

  #close(): void {
    if (this.#isOpen) this.#database.close();
    this.#isOpen = false;
  }
}
