import { DatabaseError } from './database.ts';
import type { SqlRow } from './database.ts';
import { BEHIND_ALL, isAscending, nameOfKey } from './record-key.ts';
import { modulo, recordOf } from './record-table.ts';
import type { ChangedChecksum, ReadsWhileWritten, RecordTable } from './record-table.ts';
import type { RecordKey, StoredRecord } from '../../memory/records/record.ts';

const PIECE_RECORDS = 1000;
const PIECE_CHARACTERS = 1_000_000;

const NONE: ReadonlySet<string> = new Set();

/**
 * Reads records in pieces, and notices damage: a record that is not what was written or is out of order, and where all
 * are read also one that is missing. Records may be written between two pieces.
 */
export class RecordReader implements ReadsWhileWritten {
  readonly #table: RecordTable;
  readonly #skipped: ReadonlySet<string>;
  #last: RecordKey | undefined;
  #records = 0;
  #sum = 0;

  /** @param skipped the kinds of records that it does not read. */
  constructor(table: RecordTable, skipped: ReadonlySet<string> = NONE) {
    this.#table = table;
    this.#skipped = skipped;
    table.readBy(this);
  }

  /** Counts what is written where it has read already. */
  changed({ key, before, checksum }: ChangedChecksum): void {
    if (this.#last === undefined || isAscending(this.#last, key)) return;
    this.#records += Number(checksum !== undefined) - Number(before !== undefined);
    this.#sum = modulo(this.#sum + (checksum ?? 0) - (before ?? 0));
  }

  /** @returns an empty piece at the end. @throws DatabaseError `damaged`, with the place. */
  next(): readonly StoredRecord[] {
    const piece: StoredRecord[] = [];
    let characters = 0;
    for (const row of this.#rows()) {
      if (this.#skipped.has(String(row['kind']))) {
        this.#last = { kind: String(row['kind']), queue: BEHIND_ALL, id: '' };
        return piece.length > 0 ? piece : this.next();
      }
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
    this.#table.readBy(undefined);
    if (this.#skipped.size > 0) return;
    const { records, sum } = this.#table.totals;
    if (this.#records !== records) throw damaged(`${this.#records} records instead of ${records}`);
    if (this.#sum !== sum) throw damaged('records are missing, others are there instead');
  }
}

function damaged(place: string): DatabaseError {
  return new DatabaseError('damaged', place);
}
