import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';

export const DATABASE_NAME = 'jobgate.db';
export const ACKNOWLEDGED_NAME = 'acknowledged';

export const BACKUP_NAME = 'backup.db';

export function databasePath(folder: string): string {
  return join(folder, DATABASE_NAME);
}

/** The database of a new folder while it is made. */
export function newDatabasePath(folder: string): string {
  return join(folder, 'new.db');
}

/** The log of SQLite: changes that are not copied to the database yet. */
export function logPath(folder: string): string {
  return `${databasePath(folder)}-wal`;
}

export function acknowledgedPath(folder: string): string {
  return join(folder, ACKNOWLEDGED_NAME);
}

/** A copy of the database while it is made. */
export function backupPath(folder: string): string {
  return join(folder, BACKUP_NAME);
}

/** The file that reserves room for the writes of a full disk. */
export function reservePath(folder: string): string {
  return join(folder, 'reserve');
}

/** Its presence says that the database is to be written anew, since removed records left bytes in it. */
export function vacuumDuePath(folder: string): string {
  return join(folder, 'vacuum-due');
}

/** Puts a file, or the names in a folder, on the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
