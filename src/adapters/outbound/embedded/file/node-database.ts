import type { NativeDatabase } from 'node:sqlite';
import { DatabaseError, translating } from './database.ts';
import type { Database, PreparedStatement, SqlRow, SqlValue } from './database.ts';
import { nodeSqlite } from './node-sqlite.ts';

/** A database of the SQLite in Node.js 22.13 and later. @throws DatabaseError */
export function openDatabase(path: string): Promise<Database> {
  const sqlite = nodeSqlite();
  if (sqlite === undefined) throw new DatabaseError('failed', 'Node.js has no SQLite');
  return Promise.resolve(new NodeDatabase(translated(() => new sqlite.DatabaseSync(path))));
}

class NodeDatabase implements Database {
  readonly #database: NativeDatabase;

  constructor(database: NativeDatabase) {
    this.#database = database;
  }

  exec(sql: string): void {
    translated(() => this.#database.exec(sql));
  }

  prepare(sql: string): PreparedStatement {
    const statement = translated(() => this.#database.prepare(sql));
    return {
      run: (...values) => void translated(() => statement.run(...values)),
      all: (...values) => translated(() => statement.all(...values)),
    };
  }

  define(name: string, call: (one: number, other: number) => number): void {
    translated(() => this.#database.function(name, call));
  }

  *rows(sql: string, ...values: readonly SqlValue[]): Iterable<SqlRow> {
    const rows = translated(() => this.#database.prepare(sql).iterate(...values));
    try {
      for (;;) {
        const row = translated(() => rows.next());
        if (row.done === true) return;
        yield row.value;
      }
    } finally {
      rows.return?.();
    }
  }

  close(): void {
    translated(() => this.#database.close());
  }
}

const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
const IO_ERROR_OF_A_WRITE = 778;

const translated = translating((error) => {
  // SQLite's extended code, of which the lowest byte is the kind.
  const { errcode: code = 0 } = error as { readonly errcode?: number };
  if (code === IO_ERROR_OF_A_WRITE) return 'unwritten';
  const kind = code & 0xff;
  if (kind === FULL) return 'full';
  return kind === CORRUPT || kind === NOT_A_DATABASE ? 'damaged' : 'failed';
});
