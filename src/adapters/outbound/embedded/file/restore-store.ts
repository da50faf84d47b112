import { constants, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { Acknowledged } from './acknowledged.ts';
import { foundLayout, newerLayout } from './database-layout.ts';
import { DatabaseError } from './database.ts';
import type { Database, DatabaseDriver } from './database.ts';
import * as ownDriver from './open-database.ts';
import { RecordReader } from './record-reader.ts';
import { RecordTable } from './record-table.ts';
import type { Totals } from './record-table.ts';
import { StoreRefusedError } from './store-errors.ts';
import { inDatabase, inFolder } from './stopped-store.ts';
import { acknowledgedPath, databasePath, syncPath } from './store-files.ts';

/**
 * Makes a folder of a backup, or of what was recovered, after it was read from the first to the last record.
 * @returns how many records it has.
 * @throws StoreRefusedError if the folder holds a store or is in use, or if the file is missing or not a whole backup.
 */
export async function restoreStore(
  file: string,
  folder: string,
  driver: DatabaseDriver = ownDriver,
): Promise<number> {
  if (existsSync(databasePath(folder)) || existsSync(acknowledgedPath(folder))) {
    throw new StoreRefusedError(`${folder} holds a store`);
  }
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new StoreRefusedError(`${file} is no file`);
  }
  const restored = `${databasePath(folder)}.restoring`;
  return inFolder(folder, async () => {
    try {
      rmSync(restored, { force: true });
      copyFileSync(file, restored, constants.COPYFILE_FICLONE);
      const { records, sequence } = await inDatabase(restored, driver, wholeTotals).catch(
        (error: unknown) => {
          throw refusal(file, error);
        },
      );
      syncPath(restored);
      renameSync(restored, databasePath(folder));
      syncPath(folder);
      Acknowledged.open(acknowledgedPath(folder), sequence).close();
      return records;
    } finally {
      rmSync(restored, { force: true });
    }
  });
}

/** Reads everything. @throws StoreRefusedError or DatabaseError without the name of the file. */
function wholeTotals(database: Database): Totals {
  const layout = foundLayout(database);
  if (layout.found === 'newer') throw new StoreRefusedError(newerLayout(layout.version));
  if (layout.found !== 'current') throw new StoreRefusedError('is not a backup');
  const table = new RecordTable(database);
  const reader = new RecordReader(table);
  while (reader.next().length > 0);
  return table.totals;
}

function refusal(file: string, error: unknown): unknown {
  if (error instanceof StoreRefusedError) return new StoreRefusedError(`${file} ${error.message}`);
  return error instanceof DatabaseError
    ? new StoreRefusedError(`${file} is not a whole backup: ${error.message}`)
    : error;
}
