import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Acknowledged } from './acknowledged.ts';
import { createLayout, foundLayout, newerLayout, PAGE_SIZE } from './database-layout.ts';
import { DatabaseError } from './database.ts';
import type { Database, DatabaseDriver } from './database.ts';
import { hasRoom } from './full-disk.ts';
import { RecordCopy } from './record-copy.ts';
import { RecordReader } from './record-reader.ts';
import type { FoundValues, RecordGroups, Values } from '../../memory/records/record.ts';
import { KINDS_OF_VALUES } from '../../memory/records/value-key.ts';
import { RecordTable } from './record-table.ts';
import { Reserve } from './reserve.ts';
import type { RecordChange, StoredRecord } from '../../memory/records/record.ts';
import { isFull, StoreRoom } from './store-room.ts';
import {
  damagedStore,
  StoreFailedError,
  StoreFullError,
  StoreRefusedError,
} from './store-errors.ts';
import {
  ACKNOWLEDGED_NAME,
  acknowledgedPath,
  DATABASE_NAME,
  databasePath,
  newDatabasePath,
  syncPath,
  vacuumDuePath,
} from './store-files.ts';

/** How many bytes opening takes, for the log and the folder's own use. */
const OPENING = 65_536;

/** The largest database (bytes) of which all is read or written in about a second. */
const LARGEST_SMALL = 64 * 1_048_576;

/** The file of a folder that this process holds. Its methods block until the disk has answered. */
export class RecordStore {
  readonly #folder: string;
  readonly #driver: DatabaseDriver;
  readonly #database: Database;
  readonly #table: RecordTable;
  readonly #acknowledged: Acknowledged;
  readonly #room: StoreRoom;
  #copy: RecordCopy | undefined;
  /** Whether the log has what was removed. */
  #isLogDue = false;
  #failure: StoreFailedError | undefined;

  private constructor(
    folder: string,
    driver: DatabaseDriver,
    database: Database,
    acknowledged: Acknowledged,
    reserve: Reserve,
  ) {
    this.#folder = folder;
    this.#driver = driver;
    this.#database = database;
    this.#table = new RecordTable(database);
    this.#acknowledged = acknowledged;
    this.#room = new StoreRoom(database, folder, reserve);
  }

  /** @throws StoreRefusedError */
  static async open(folder: string, driver: DatabaseDriver): Promise<RecordStore> {
    const sequence = acknowledgedIn(folder);
    if (sequence !== undefined && sequence > 0 && !existsSync(databasePath(folder))) {
      throw damagedStore(folder, `${DATABASE_NAME} is missing`);
    }
    let database: Database | undefined;
    try {
      const reserve = new Reserve(folder);
      // Opening needs some room as well.
      if (!hasRoom(folder, OPENING)) reserve.release();
      if (!existsSync(databasePath(folder))) await createDatabase(folder, driver);
      database = await driver.openDatabase(databasePath(folder));
      const acknowledged = prepare(folder, database, sequence);
      const store = new RecordStore(folder, driver, database, acknowledged, reserve);
      if (existsSync(vacuumDuePath(folder)) && store.#room.vacuum()) rmSync(vacuumDuePath(folder));
      return store;
    } catch (error) {
      database?.close();
      throw refusal(folder, error);
    }
  }

  get count(): number {
    return this.#table.totals.records;
  }

  /** Whether the disk has room for another write; without it, some room may be left that was kept for this case. */
  get hasRoom(): boolean {
    return this.#room.isEnough;
  }

  /** Whether the file is small enough for all of it to be checked before it is used, and written anew while it is. */
  get isSmall(): boolean {
    return isSmall(this.#folder);
  }

  /**
   * Reads all records but those with values, which are read by their keys. In a large file these are not even checked:
   * that is for {@link checker}.
   */
  reader(): { next(): readonly StoredRecord[] } {
    if (!this.isSmall) return this.#translated(new RecordReader(this.#table, KINDS_OF_VALUES));
    const reader = this.#translated(new RecordReader(this.#table));
    const next = (): readonly StoredRecord[] => {
      const piece = reader.next();
      const index = piece.filter(({ kind }) => !KINDS_OF_VALUES.has(kind));
      return index.length > 0 || piece.length === 0 ? index : next();
    };
    return { next };
  }

  /** Checks all records, in pieces between which others may write. An empty piece is the end. */
  checker(): { next(): readonly StoredRecord[] } {
    return this.#translated(new RecordReader(this.#table));
  }

  #translated(reader: RecordReader): { next(): readonly StoredRecord[] } {
    return { next: () => this.#reading(() => reader.next()) };
  }

  #reading<Found>(read: () => Found): Found {
    try {
      return read();
    } catch (error) {
      throw refusal(this.#folder, error);
    }
  }

  /**
   * The values of the records of each group, undefined in place of one that is gone. Fewer groups, but at least one, if
   * all would take more than about `most` characters. @throws StoreRefusedError
   */
  find(groups: RecordGroups, most: number): FoundValues {
    const found: Values[] = [];
    let characters = 0;
    for (const keys of groups) {
      const values = this.#reading(() => this.#table.find(keys));
      found.push(values);
      characters += values.reduce((sum, value = '') => sum + value.length, 0);
      if (characters >= most) break;
    }
    return found;
  }

  /** @throws StoreFullError, StoreFailedError */
  write(changes: readonly RecordChange[]): void {
    if (this.#failure !== undefined) throw this.#failure;
    const pages = pagesOf(changes);
    try {
      this.#room.commit(() => this.#table.write(changes), pages);
      this.#acknowledged.write(this.#table.totals.sequence);
    } catch (error) {
      throw this.#writeError(error, pages);
    }
    this.#copy?.apply(changes);
  }

  /** Does what is due when nobody waits for an answer. A failure ends the writes. */
  tidy(): void {
    this.#unlessFailed(() => this.#room.tidy());
  }

  /**
   * Gives back to the disk what is not needed any more, and keeps room again.
   *
   * @returns whether there is room for writes.
   */
  mend(): boolean {
    this.#unlessFailed(() => this.#room.mend());
    return this.hasRoom;
  }

  /**
   * Empties the log, which has what was removed until its pages are written again, and has the database written anew when
   * that is next possible: by {@link vacuum}, or as it is opened.
   */
  scrub(): void {
    this.#unlessFailed(() => {
      writeFileSync(vacuumDuePath(this.#folder), '');
    });
    this.#isLogDue = true;
    this.clearLog();
  }

  /** Empties the log if that is due and no backup reads from it. */
  clearLog(): void {
    if (!this.#isLogDue || this.#copy !== undefined) return;
    this.#unlessFailed(() => {
      this.#isLogDue = !this.#room.clearLog();
    });
  }

  /** Writes the database anew if that is due, and it is small enough for others to wait. */
  vacuum(): void {
    if (!existsSync(vacuumDuePath(this.#folder))) return;
    if (!this.isSmall || this.#copy !== undefined) return;
    this.#unlessFailed(() => {
      if (this.#room.vacuum()) rmSync(vacuumDuePath(this.#folder));
    });
  }

  /** Puts on the disk how much was acknowledged. */
  async syncAcknowledged(): Promise<void> {
    try {
      await this.#acknowledged.sync();
    } catch (error) {
      this.#writeError(error, 1);
    }
  }

  /**
   * Writes a consistent copy to a new file, in pieces between which others may write. One copy at a time.
   *
   * @param turn resolves when the next piece may be written; an error stops the copying.
   * @throws StoreFullError if the disk has no room for the copy.
   */
  async backup(path: string, turn: () => Promise<void>): Promise<void> {
    if (this.#copy !== undefined) throw new Error('Another backup is running');
    const copy = await RecordCopy.begin(this.#table, path, this.#driver);
    this.#copy = copy;
    try {
      while (copy.copyPiece()) await turn();
      copy.finish();
    } catch (error) {
      copy.discard();
      throw isFull(error, this.#folder, 1) ? this.#fullError() : error;
    } finally {
      this.#copy = undefined;
    }
  }

  close(): void {
    this.#database.close();
    this.#acknowledged.close();
  }

  #unlessFailed(work: () => void): void {
    if (this.#failure !== undefined) return;
    try {
      work();
    } catch (error) {
      this.#writeError(error, 1);
    }
  }

  #fullError(): StoreFullError {
    return new StoreFullError(`STORE_PATH ${this.#folder} is full`);
  }

  #writeError(error: unknown, pages: number): Error {
    if (isFull(error, this.#folder, pages)) return this.#fullError();
    const { message } = error as Error;
    this.#failure = new StoreFailedError(`STORE_PATH ${this.#folder} failed: ${message}`);
    return this.#failure;
  }
}

/** A power failure leaves the new database whole or not at all: it has its name once it is on the disk. */
async function createDatabase(folder: string, driver: DatabaseDriver): Promise<void> {
  const path = newDatabasePath(folder);
  rmSync(path, { force: true });
  const database = await driver.openDatabase(path);
  try {
    database.exec('PRAGMA journal_mode=OFF');
    database.exec('PRAGMA synchronous=OFF');
    createLayout(database);
  } finally {
    database.close();
  }
  syncPath(path);
  renameSync(path, databasePath(folder));
  syncPath(folder);
}

function isSmall(folder: string): boolean {
  return statSync(databasePath(folder)).size <= LARGEST_SMALL;
}

function acknowledgedIn(folder: string): number | undefined {
  const sequence = Acknowledged.read(acknowledgedPath(folder));
  if (Number.isNaN(sequence)) throw damagedStore(folder, ACKNOWLEDGED_NAME);
  return sequence;
}

/**
 * Makes the database ready for writes, in an order that a process may leave at any point. Without the number of what
 * was acknowledged, only a database without a log is whole for certain: a new one, or a backup.
 */
function prepare(
  folder: string,
  database: Database,
  acknowledged: number | undefined,
): Acknowledged {
  database.exec('PRAGMA locking_mode=EXCLUSIVE');
  database.exec('PRAGMA synchronous=FULL');
  database.exec('PRAGMA cell_size_check=ON');
  // Whoever asks to be forgotten is in no page either.
  database.exec('PRAGMA secure_delete=FAST');
  const mode = database.prepare('PRAGMA journal_mode').all()[0]?.['journal_mode'];
  if (acknowledged === undefined && mode === 'wal') {
    throw new DatabaseError('damaged', `${ACKNOWLEDGED_NAME} is missing`);
  }
  const sequence = readyLayout(folder, database, acknowledged);
  const file = Acknowledged.open(acknowledgedPath(folder), sequence);
  beginLog(folder, database);
  database.exec('PRAGMA wal_autocheckpoint=0');
  database.exec('PRAGMA cache_size=-8000');
  return file;
}

/**
 * The first read creates the log. Its name has to be on the disk as well, which the WebAssembly build does not see to: a
 * power failure would take the log with all that it holds.
 */
function beginLog(folder: string, database: Database): void {
  database.exec('PRAGMA journal_mode=WAL');
  database.prepare('PRAGMA page_count').all();
  syncPath(folder);
}

/** @returns how many transactions the database has. */
function readyLayout(folder: string, database: Database, acknowledged = 0): number {
  const layout = foundLayout(database);
  if (layout.found === 'newer') {
    throw new StoreRefusedError(`STORE_PATH ${folder} ${newerLayout(layout.version)}`);
  }
  if (layout.found === 'other') throw new DatabaseError('damaged', 'not the tables of a store');
  if (layout.found === 'nothing' && acknowledged === 0) createLayout(database);
  const { sequence } = new RecordTable(database).totals;
  if (sequence < acknowledged) {
    throw new DatabaseError(
      'damaged',
      `it ends with transaction ${sequence}, but ${acknowledged} were acknowledged`,
    );
  }
  const [first] = isSmall(folder) ? database.prepare('PRAGMA quick_check(1)').all() : [];
  if (first !== undefined && first['quick_check'] !== 'ok') {
    throw new DatabaseError('damaged', String(first['quick_check']));
  }
  return sequence;
}

function refusal(folder: string, error: unknown): Error {
  if (error instanceof StoreRefusedError) return error;
  const { message } = error as Error;
  if (error instanceof DatabaseError && error.failure === 'damaged') {
    return damagedStore(folder, `${DATABASE_NAME}, ${message}`);
  }
  return new StoreRefusedError(`STORE_PATH ${folder} cannot be opened: ${message}`);
}

/** About how many pages a write adds to the log. */
function pagesOf(changes: readonly RecordChange[]): number {
  return changes.reduce((sum, { value = '' }) => sum + 1 + Math.floor(value.length / PAGE_SIZE), 2);
}
