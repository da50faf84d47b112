import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseCopy } from './database-copy.ts';
import type { Database, DatabaseDriver } from './database.ts';
import * as ownDriver from './open-database.ts';
import { ReadableRecords } from './readable-records.ts';
import type { StoredRecord } from '../../memory/records/record.ts';
import { inDatabase, inFolder, requireDatabase } from './stopped-store.ts';
import { databasePath, syncPath } from './store-files.ts';

const BATCH = 1000;

export interface Recovery {
  readonly records: number;
  /** The places that could not be read; at most 100. */
  readonly damage: readonly string[];
}

/**
 * Writes every record of a folder that can be read, and whose checksum is right, to a new file. The folder stays as it
 * is: SQLite reads a copy, beside the file.
 * @throws StoreRefusedError if the folder is in use or holds no database; an error if the file exists.
 */
export async function recoverStore(
  folder: string,
  file: string,
  driver: DatabaseDriver = ownDriver,
): Promise<Recovery> {
  requireDatabase(folder);
  return inFolder(folder, async () => {
    const copied = mkdtempSync(join(dirname(file), 'jobgate-recover-'));
    try {
      copyDatabase(folder, copied);
      return await inDatabase(databasePath(copied), driver, (database) =>
        writeReadable(database, file, driver),
      );
    } finally {
      rmSync(copied, { recursive: true, force: true });
    }
  });
}

function copyDatabase(from: string, to: string): void {
  for (const suffix of ['', '-wal', '-journal']) {
    const path = databasePath(from) + suffix;
    if (existsSync(path)) copyFileSync(path, databasePath(to) + suffix);
  }
}

async function writeReadable(
  database: Database,
  file: string,
  driver: DatabaseDriver,
): Promise<Recovery> {
  const readable = new ReadableRecords(database);
  const copy = await DatabaseCopy.begin(file, driver);
  try {
    let batch: StoredRecord[] = [];
    for (const record of readable.all()) {
      batch.push(record);
      if (batch.length < BATCH) continue;
      copy.table.write(batch);
      batch = [];
    }
    copy.table.write(batch);
    const { records } = copy.table.totals;
    copy.finish();
    syncPath(file);
    return { records, damage: readable.damage };
  } catch (error) {
    copy.discard();
    throw error;
  }
}
