import { RECORD_KINDS } from '../../memory/records/record-changes.ts';
import { DatabaseError } from './database.ts';
import type { Database, SqlRow } from './database.ts';
import { BEHIND_ALL, keyBetween, nameOfKey } from './record-key.ts';
import type { RecordKey } from '../../memory/records/record.ts';
import { recordOf } from './record-table.ts';
import type { StoredRecord } from '../../memory/records/record.ts';

/** A service that met another kind would refuse to start. */
const KINDS: ReadonlySet<string> = new Set(RECORD_KINDS);

const FIRST: RecordKey = { kind: '', queue: '', id: '' };
const LAST: RecordKey = { kind: BEHIND_ALL, queue: '', id: '' };

/** How often an unreadable part is halved in search of a page that can be read, until one is found. */
const HALVINGS = 7;

const MOST_REPORTED = 100;

/** Reads what can be read of a damaged database, and says what cannot. */
export class ReadableRecords {
  readonly #database: Database;
  readonly #damage = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The places that could not be read so far; at most 100. */
  get damage(): readonly string[] {
    return [...this.#damage];
  }

  /** Each record once, in no particular order. */
  all(): Iterable<StoredRecord> {
    return this.#between(FIRST, LAST, HALVINGS);
  }

  *#between(first: RecordKey, last: RecordKey, halvings: number): Generator<StoredRecord> {
    const low = yield* this.#readable(first, last, 'ASC');
    if (low === undefined) return;
    const high = yield* this.#readable(low, last, 'DESC');
    if (high === undefined || halvings === 0) return;
    const middle = keyBetween(low, high);
    if (middle === undefined) return;
    const left = low === first && high === last ? halvings - 1 : HALVINGS;
    yield* this.#between(low, middle, left);
    yield* this.#between(middle, high, left);
  }

  /** Reads from one end to the first damage. @returns the last key before it, or undefined if there is none. */
  *#readable(
    low: RecordKey,
    high: RecordKey,
    direction: 'ASC' | 'DESC',
  ): Generator<StoredRecord, RecordKey | undefined> {
    let place = direction === 'ASC' ? low : high;
    try {
      for (const row of this.#rows(low, high, direction)) {
        const record = recordOf(row);
        if (record === undefined) this.#report(`${nameOfKey(row)} is altered`);
        else if (!KINDS.has(record.kind)) this.#report(`${nameOfKey(row)} is of an unknown kind`);
        else yield record;
        place = { kind: String(row['kind']), queue: String(row['queue']), id: String(row['id']) };
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      // Nothing was read after a key between two others: the damage there is reported already.
      const isKnown = place === low && low !== FIRST;
      if (direction === 'ASC' && !isKnown)
        this.#report(`after ${nameOfKey(place)}: ${error.message}`);
      return place;
    }
  }

  #rows(low: RecordKey, high: RecordKey, direction: 'ASC' | 'DESC'): Iterable<SqlRow> {
    const sql =
      'SELECT kind, queue, id, value, checksum FROM records ' +
      'WHERE (kind, queue, id) > (?, ?, ?) AND (kind, queue, id) < (?, ?, ?) ' +
      `ORDER BY kind ${direction}, queue ${direction}, id ${direction}`;
    return this.#database.rows(sql, low.kind, low.queue, low.id, high.kind, high.queue, high.id);
  }

  #report(damage: string): void {
    if (this.#damage.size < MOST_REPORTED) this.#damage.add(damage);
  }
}
