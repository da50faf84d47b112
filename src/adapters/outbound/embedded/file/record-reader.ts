import { DatabaseError } from './database.ts';
import type { SqlRow } from './database.ts';
import { isAscending, nameOfKey } from './record-key.ts';
import { modulo, recordOf } from './record-table.ts';
import type { RecordTable, Totals } from './record-table.ts';
import type { StoredRecord } from '../../memory/records/record.ts';

const PIECE_RECORDS = 1000;
const PIECE_CHARACTERS = 1_000_000;

/**
 * Reads all records in pieces, and notices damage: a record that is not what was written, one that is missing or out of
 * order. Records may be written between two pieces; then only each record by itself is checked.
 */
export class RecordReader {
  readonly #table: RecordTable;
  readonly #totals: Totals;
  #last: StoredRecord | undefined;
  #records = 0;
  #sum = 0;

  constructor(table: RecordTable) {
    this.#table = table;
    this.#totals = table.totals;
  }

  /** @returns an empty piece at the end. @throws DatabaseError `damaged`, with the place. */
  next(): readonly StoredRecord[] {
    const piece: StoredRecord[] = [];
    let characters = 0;
    for (const row of this.#rows()) {
      const record = this.#checked(row);
      piece.push(record);
      characters += record.value.length;
      if (piece.length === PIECE_RECORDS || characters >= PIECE_CHARACTERS) return piece;
    }
    if (piece.length === 0) this.#end();
    return piece;
  }

  *#rows(): Iterable<SqlRow> {
    try {
      yield* this.#table.rowsAfter(this.#last);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const place = this.#last === undefined ? 'first record' : `after ${nameOfKey(this.#last)}`;
      throw new DatabaseError(error.failure, `${place}: ${error.message}`, error);
    }
  }

  #checked(row: SqlRow): StoredRecord {
    const record = recordOf(row);
    if (record === undefined) throw damaged(`${nameOfKey(row)} is altered`);
    if (this.#last !== undefined && !isAscending(this.#last, record)) {
      throw damaged(`${nameOfKey(row)} is out of order`);
    }
    this.#last = record;
    this.#records += 1;
    // That of the record, as it is not altered.
    this.#sum = modulo(this.#sum + Number(row['checksum']));
    return record;
  }

  #end(): void {
    const { sequence, records, sum } = this.#totals;
    if (this.#table.totals.sequence !== sequence) return;
    if (this.#records !== records) throw damaged(`${this.#records} records instead of ${records}`);
    if (this.#sum !== sum) throw damaged('records are missing, others are there instead');
  }
}

function damaged(place: string): DatabaseError {
  return new DatabaseError('damaged', place);
}
