import { DatabaseCopy } from './database-copy.ts';
import type { DatabaseDriver } from './database.ts';
import { RecordReader } from './record-reader.ts';
import type { RecordTable } from './record-table.ts';
import type { RecordChange } from '../../memory/records/record.ts';

/**
 * A copy of a table that goes on changing: pieces of the table in the order of their keys, and each change as it is
 * made, so that the copy equals the table once the last piece is copied.
 */
export class RecordCopy {
  readonly #source: RecordTable;
  readonly #reader: RecordReader;
  readonly #copy: DatabaseCopy;
  #failure: Error | undefined;

  private constructor(source: RecordTable, copy: DatabaseCopy) {
    this.#source = source;
    this.#reader = new RecordReader(source);
    this.#copy = copy;
  }

  /** @param path of a file that does not exist. */
  static async begin(
    source: RecordTable,
    path: string,
    driver: DatabaseDriver,
  ): Promise<RecordCopy> {
    return new RecordCopy(source, await DatabaseCopy.begin(path, driver));
  }

  /** @returns false at the end. */
  copyPiece(): boolean {
    if (this.#failure !== undefined) throw this.#failure;
    const piece = this.#reader.next();
    if (piece.length > 0) this.#copy.table.write(piece);
    return piece.length > 0;
  }

  /** A failure is thrown by the next piece, since it is not one of the source. */
  apply(changes: readonly RecordChange[]): void {
    try {
      this.#copy.table.write(changes);
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  /** @throws if the copy is not what the source is. */
  finish(): void {
    const { records, sum } = this.#source.totals;
    const { totals } = this.#copy.table;
    if (totals.records !== records || totals.sum !== sum) {
      throw new Error(`The backup has ${totals.records} records instead of ${records}`);
    }
    this.#copy.finish();
  }

  discard(): void {
    this.#copy.discard();
  }
}
