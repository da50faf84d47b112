import { existsSync } from 'node:fs';
import type { Database, DatabaseDriver } from './database.ts';
import { FolderLock, LOCK_TIMES } from './folder-lock.ts';
import { StoreRefusedError } from './store-errors.ts';
import { DATABASE_NAME, databasePath } from './store-files.ts';

/** @throws StoreRefusedError if the folder holds no database. */
export function requireDatabase(folder: string): void {
  if (existsSync(databasePath(folder))) return;
  throw new StoreRefusedError(`${folder} has no ${DATABASE_NAME}`);
}

/** Has the folder of a stopped service for itself. @throws StoreRefusedError if it is in use, or what `run` throws. */
export async function inFolder<Result>(
  folder: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const lock = await FolderLock.take(folder, LOCK_TIMES);
  try {
    return await run();
  } finally {
    await lock.release();
  }
}

/** Has a database open, and for itself, while it is read. */
export async function inDatabase<Result>(
  path: string,
  driver: DatabaseDriver,
  read: (database: Database) => Result | Promise<Result>,
): Promise<Result> {
  const database = await driver.openDatabase(path);
  try {
    database.exec('PRAGMA locking_mode=EXCLUSIVE');
    return await read(database);
  } finally {
    database.close();
  }
}
