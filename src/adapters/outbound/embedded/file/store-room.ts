import { statfsSync, statSync } from 'node:fs';
import { PAGE_SIZE } from './database-layout.ts';
import { DatabaseError } from './database.ts';
import type { Database, PreparedStatement } from './database.ts';
import { hasRoom } from './full-disk.ts';
import type { Reserve } from './reserve.ts';
import { databasePath, logPath } from './store-files.ts';

/** Pages that are written between two copies of the log to the database; about 16 MB of log. */
const MOST_LOG_PAGES = 2000;

/** With so many free bytes no log is too long for the disk. */
const AMPLE = 64 * 1_048_576;

/** How much more than the reserve must be free before it is kept again, so that a full disk does not change its mind. */
const MARGIN = 1.25;

/** How many pages of removed records go back to a full disk at once. */
const VACUUMED_PAGES = 256;

/**
 * Keeps the log short, and room for what must be written when the disk is full: half of the reserve for a write, half for
 * what the log adds to the database. Its methods throw DatabaseError when a write fails for another reason than a full disk.
 */
export class StoreRoom {
  readonly #database: Database;
  readonly #folder: string;
  readonly #reserve: Reserve;
  readonly #pageCount: PreparedStatement;
  readonly #pageSize: number;
  /** Those of processes that were killed count too: the log of many short ones would grow without end. */
  #logPages: number;
  #largest = 0;

  constructor(database: Database, folder: string, reserve: Reserve) {
    this.#database = database;
    this.#folder = folder;
    this.#reserve = reserve;
    this.#pageCount = database.prepare('PRAGMA page_count');
    this.#pageSize = Number(database.prepare('PRAGMA page_size').all()[0]?.['page_size']);
    this.#logPages = Math.floor(sizeOf(logPath(folder)) / this.#pageSize);
  }

  /** Whether the disk has room for another write; without it, some may be left of what was kept. */
  get isEnough(): boolean {
    return this.#reserve.isWhole;
  }

  /**
   * Runs a write, and again in the room that was kept if it finds the disk full.
   *
   * @param pages about how many it adds to the log.
   */
  commit(write: () => void, pages: number): void {
    try {
      write();
    } catch (error) {
      if (!isFull(error, this.#folder, pages)) throw error;
      this.#reserve.release();
      this.#checkpoint('TRUNCATE');
      write();
      this.#restore();
    }
    this.#logPages += pages;
    this.#largest = Math.max(this.#largest, pages);
  }

  /** Copies a long log to the database, or on a nearly full disk one that the reserve would not suffice for. */
  tidy(): void {
    if (this.#logPages === 0) return;
    if (this.isEnough) this.#reserve.fit(2 * this.#largest * PAGE_SIZE);
    if (this.isEnough && this.#isShort()) return;
    if (this.isEnough && this.#checkpoint('PASSIVE')) return;
    this.#reserve.release();
    this.#checkpoint('TRUNCATE');
    this.#restore();
  }

  /**
   * Gives back to the disk what the log and removed records do not need any more, and keeps room again.
   *
   * @returns whether there is enough.
   */
  mend(): boolean {
    if (this.isEnough) return true;
    this.#checkpoint('TRUNCATE');
    this.#unlessFull(`PRAGMA incremental_vacuum(${VACUUMED_PAGES})`);
    this.#checkpoint('TRUNCATE');
    this.#restore();
    return this.isEnough;
  }

  /** Copies the log to the database and empties it. @returns whether the disk had room for it. */
  clearLog(): boolean {
    return this.#checkpoint('TRUNCATE');
  }

  /**
   * Writes the database anew, so that no page has bytes of removed records: SQLite overwrites a record that goes, but not
   * what it leaves behind as it moves records between pages. Others wait meanwhile, about a second for 60 MB.
   *
   * @returns whether the disk had room for it.
   */
  vacuum(): boolean {
    const size = sizeOf(databasePath(this.#folder));
    if (this.#free < 3 * size || !this.#unlessFull('VACUUM')) return false;
    return this.#checkpoint('TRUNCATE');
  }

  #restore(): void {
    if (this.#free > MARGIN * this.#reserve.size) this.#reserve.restore();
  }

  #isShort(): boolean {
    if (this.#logPages >= MOST_LOG_PAGES) return false;
    return this.#free > AMPLE || this.#growth < this.#reserve.size / 2;
  }

  /**
   * Copies the log to the database, unless that would fail half-way, and use up the room for nothing.
   *
   * @returns whether it could.
   */
  #checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    if (this.#growth > this.#free) return false;
    if (!this.#unlessFull(`PRAGMA wal_checkpoint(${mode})`)) return false;
    this.#logPages = 0;
    return true;
  }

  /** How many bytes the log adds to the database. */
  get #growth(): number {
    const pages = Number(this.#pageCount.all()[0]?.['page_count']);
    return pages * this.#pageSize - sizeOf(databasePath(this.#folder));
  }

  get #free(): number {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize;
  }

  /** @returns false when the disk has no room for what the statement writes. */
  #unlessFull(sql: string): boolean {
    try {
      this.#database.exec(sql);
      return true;
    } catch (error) {
      if (isFull(error, this.#folder, MOST_LOG_PAGES)) return false;
      throw error;
    }
  }
}

/** Whether a write of so many pages failed for lack of room. */
export function isFull(error: unknown, folder: string, pages: number): boolean {
  if (!(error instanceof DatabaseError)) return false;
  if (error.failure === 'full') return true;
  return error.failure === 'unwritten' && !hasRoom(folder, (pages + 16) * PAGE_SIZE);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
