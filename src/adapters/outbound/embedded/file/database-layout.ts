import type { Database } from './database.ts';

/**
 * The version of the layout that this version writes, in the file's `user_version`; it reads all up to it. In the first
 * one, each record of a job was that of an added job; in the first two, each event was written with all of its fields.
 */
export const LAYOUT_VERSION = 3;

/** SQLite gives each record that is larger than a quarter of a page pages of its own: those of 1 kB are to share them. */
export const PAGE_SIZE = 8192;

/** "jobg", in the file's `application_id`. */
const APPLICATION = 0x6a6f6267;

const TABLES: Readonly<Record<string, string>> = {
  records:
    'CREATE TABLE records(kind TEXT NOT NULL, queue TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, ' +
    'checksum INTEGER NOT NULL, PRIMARY KEY(kind, queue, id)) WITHOUT ROWID',
  totals:
    'CREATE TABLE totals(sequence INTEGER NOT NULL, records INTEGER NOT NULL, sum INTEGER NOT NULL)',
};

/** Whether a database file is empty, has this layout, or has that of another version or program. */
export type FoundLayout =
  | { readonly found: 'nothing' | 'current' | 'other' }
  | { readonly found: 'newer'; readonly version: number };

export function foundLayout(database: Database): FoundLayout {
  const tables = database.prepare('SELECT name, sql FROM sqlite_schema').all();
  const version = numberOf(database, 'user_version');
  const application = numberOf(database, 'application_id');
  if (tables.length === 0 && version === 0 && application === 0) return { found: 'nothing' };
  if (application === APPLICATION && version > LAYOUT_VERSION) return { found: 'newer', version };
  const isCurrent =
    application === APPLICATION &&
    version > 0 &&
    tables.length === Object.keys(TABLES).length &&
    tables.every(({ name, sql }) => TABLES[String(name)] === sql);
  return { found: isCurrent ? 'current' : 'other' };
}

/** The message about a layout of a newer version; the name of its file or folder comes before it. */
export function newerLayout(version: number): string {
  return `is of a newer version: its layout is ${version}, this version reads up to ${LAYOUT_VERSION}`;
}

/** Writes the tables without records, all or none. */
export function createLayout(database: Database): void {
  database.exec(`PRAGMA page_size=${PAGE_SIZE}`);
  // What removed records took can go back to a full disk.
  database.exec('PRAGMA auto_vacuum=INCREMENTAL');
  database.exec('BEGIN IMMEDIATE');
  for (const table of Object.values(TABLES)) database.exec(table);
  database.exec('INSERT INTO totals VALUES(0, 0, 0)');
  database.exec(`PRAGMA application_id=${APPLICATION}`);
  nameLayout(database);
  database.exec('COMMIT');
}

/** To be called in a transaction. */
export function nameLayout(database: Database): void {
  database.exec(`PRAGMA user_version=${LAYOUT_VERSION}`);
}

function numberOf(database: Database, pragma: string): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).all()[0]?.[pragma]);
}
