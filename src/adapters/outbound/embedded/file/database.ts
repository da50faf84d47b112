/** A value of a column. */
export type SqlValue = string | number | Uint8Array | null;

export type SqlRow = Readonly<Record<string, unknown>>;

/** A SQLite database, regardless of the library that serves it. Every method throws a {@link DatabaseError}. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): PreparedStatement;
  /** Has statements of this connection call a function. */
  define(name: string, call: (one: number, other: number) => number): void;
  /** The rows one by one. Ending the iteration early ends the statement. */
  rows(sql: string, ...values: readonly SqlValue[]): Iterable<SqlRow>;
  close(): void;
}

export interface PreparedStatement {
  run(...values: readonly SqlValue[]): void;
  /** All rows. */
  all(...values: readonly SqlValue[]): readonly SqlRow[];
}

/** A module that serves databases. The caller makes sure that nobody else has the file open. */
export interface DatabaseDriver {
  openDatabase(path: string): Promise<Database>;
}

/**
 * Why a call failed: no room for a write (`full`), a write that failed, maybe for lack of room, which the library does
 * not say (`unwritten`), a file that does not hold what SQLite expects (`damaged`), anything else (`failed`).
 */
export type DatabaseFailure = 'full' | 'unwritten' | 'damaged' | 'failed';

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly failure: DatabaseFailure;

  constructor(failure: DatabaseFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

/** Runs calls of a library. @param failureOf says why one failed. @returns a function that throws DatabaseErrors. */
export function translating(
  failureOf: (error: Error) => DatabaseFailure,
): <Result>(call: () => Result) => Result {
  return (call) => {
    try {
      return call();
    } catch (error) {
      const { message } = error as Error;
      throw new DatabaseError(failureOf(error as Error), message, error);
    }
  };
}
