import { rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type Sqlite from 'node-sqlite3-wasm';
import type { Database as WasmSqlite, JSValue, Statement } from 'node-sqlite3-wasm';
import { translating } from './database.ts';
import type { Database, DatabaseFailure, PreparedStatement, SqlRow, SqlValue } from './database.ts';

/** That of V8 in the versions of Node.js without a SQLite of their own. */
const TIERING_BUDGET = 1_800_000;

/**
 * A database of SQLite in WebAssembly, for any Node.js. It locks by a folder beside the file, which a killed process
 * leaves behind; since the caller makes sure that nobody else has the file open, the folder is of no one.
 * @throws DatabaseError
 */
export async function openDatabase(path: string): Promise<Database> {
  const sqlite = await importSqlite();
  rmSync(`${path}.lock`, { recursive: true, force: true });
  return new WasmDatabase(translated(() => new sqlite.Database(path)));
}

/**
 * V8 optimizes a function of WebAssembly that has run for a while, and the interpreter of SQLite is one huge function:
 * soon after the start that took half a second of a processor and 45 MB, and writes became no faster by it. So it runs
 * a thousand times as long before. The budget is that of modules that are loaded while it is set.
 */
async function importSqlite(): Promise<typeof Sqlite> {
  setFlagsFromString(`--wasm-tiering-budget=${1000 * TIERING_BUDGET}`);
  try {
    return (await import('node-sqlite3-wasm')).default;
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  }
}

class WasmDatabase implements Database {
  readonly #database: WasmSqlite;
  readonly #statements = new Set<WasmStatement>();

  constructor(database: WasmSqlite) {
    this.#database = database;
  }

  exec(sql: string): void {
    translated(() => this.#database.exec(sql));
  }

  prepare(sql: string): PreparedStatement {
    const statement = new WasmStatement(this.#database, sql);
    this.#statements.add(statement);
    return statement;
  }

  define(name: string, call: (one: number, other: number) => number): void {
    translated(() =>
      this.#database.function(name, (one, other) => call(Number(one), Number(other))),
    );
  }

  *rows(sql: string, ...values: readonly SqlValue[]): Iterable<SqlRow> {
    const statement = translated(() => this.#database.prepare(sql));
    try {
      const rows: Iterator<SqlRow, undefined> = statement.iterate(values as JSValue[]);
      for (;;) {
        const row = translated(() => rows.next());
        if (row.done === true) return;
        yield row.value;
      }
    } finally {
      finalize(statement);
    }
  }

  close(): void {
    for (const statement of this.#statements) statement.end();
    translated(() => this.#database.close());
  }
}

/** A statement that failed cannot be run again, so the next run prepares another. */
class WasmStatement implements PreparedStatement {
  readonly #database: WasmSqlite;
  readonly #sql: string;
  #statement: Statement | undefined;

  constructor(database: WasmSqlite, sql: string) {
    this.#database = database;
    this.#sql = sql;
  }

  run(...values: readonly SqlValue[]): void {
    this.#call((statement) => statement.run(values as JSValue[]));
  }

  all(...values: readonly SqlValue[]): readonly SqlRow[] {
    return this.#call((statement) => statement.all(values as JSValue[]));
  }

  end(): void {
    if (this.#statement !== undefined) finalize(this.#statement);
    this.#statement = undefined;
  }

  #call<Result>(call: (statement: Statement) => Result): Result {
    try {
      return translated(() => call((this.#statement ??= this.#database.prepare(this.#sql))));
    } catch (error) {
      this.end();
      throw error;
    }
  }
}

/** Throws nothing: finalizing repeats the error of the last run. */
function finalize(statement: Statement): void {
  try {
    statement.finalize();
  } catch {
    // The caller has that error already.
  }
}

/** The library passes on no codes, only the messages that SQLite has for them. */
const FAILURES: Readonly<Record<string, DatabaseFailure>> = {
  'database or disk is full': 'full',
  'disk I/O error': 'unwritten',
  'database disk image is malformed': 'damaged',
  'file is not a database': 'damaged',
};

/** The message of a damaged schema goes on with the name of what is wrong in it. */
const translated = translating(({ message }) => {
  if (message.startsWith('malformed database schema')) return 'damaged';
  return FAILURES[message] ?? 'failed';
});
