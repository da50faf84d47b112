import { Acknowledged } from './acknowledged.ts';
import { foundLayout, newerLayout } from './database-layout.ts';
import { DatabaseError } from './database.ts';
import type { Database, DatabaseDriver } from './database.ts';
import * as ownDriver from './open-database.ts';
import { ReadableRecords } from './readable-records.ts';
import { recordChecksum } from './record-checksum.ts';
import { modulo, RecordTable } from './record-table.ts';
import { StoreRefusedError } from './store-errors.ts';
import { ACKNOWLEDGED_NAME, acknowledgedPath, DATABASE_NAME, databasePath } from './store-files.ts';
import { inDatabase, inFolder, requireDatabase } from './stopped-store.ts';

export interface StoreCheck {
  /** The records that can be read, by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly records: number;
  /** The sum of their checksums. */
  readonly sum: number;
  /** Each damaged place, with its file; empty when the store is intact. */
  readonly damage: readonly string[];
}

/**
 * Reads everything in the folder of a stopped service.
 * @throws StoreRefusedError if the folder is in use, of a newer version or holds no database.
 */
export async function checkStore(
  folder: string,
  driver: DatabaseDriver = ownDriver,
): Promise<StoreCheck> {
  requireDatabase(folder);
  const check = (database: Database): StoreCheck =>
    checkDatabase(folder, database, Acknowledged.read(acknowledgedPath(folder)));
  return inFolder(folder, () =>
    inDatabase(databasePath(folder), driver, check).catch((error: unknown) => {
      if (error instanceof DatabaseError && error.failure === 'damaged') return unreadable(error);
      throw error;
    }),
  );
}

function checkDatabase(
  folder: string,
  database: Database,
  acknowledged: number | undefined,
): StoreCheck {
  const layout = foundLayout(database);
  if (layout.found === 'newer') {
    throw new StoreRefusedError(`${folder} ${newerLayout(layout.version)}`);
  }
  const readable = new ReadableRecords(database);
  const kinds = new Map<string, number>();
  let records = 0;
  let sum = 0;
  for (const record of readable.all()) {
    kinds.set(record.kind, (kinds.get(record.kind) ?? 0) + 1);
    records += 1;
    sum = modulo(sum + recordChecksum(record));
  }
  const damage = [...readable.damage, ...structureDamage(database)];
  damage.push(...totalsDamage(database, { records, sum, acknowledged }));
  const places = damage.map((each) => `${DATABASE_NAME}, ${each}`);
  if (Number.isNaN(acknowledged)) places.push(`${ACKNOWLEDGED_NAME} is altered`);
  return { kinds, records, sum, damage: places };
}

function structureDamage(database: Database): readonly string[] {
  try {
    const rows = database.prepare('PRAGMA quick_check').all();
    return rows.map((row) => String(row['quick_check'])).filter((result) => result !== 'ok');
  } catch (error) {
    return [(error as Error).message];
  }
}

interface Found {
  readonly records: number;
  readonly sum: number;
  readonly acknowledged: number | undefined;
}

function totalsDamage(database: Database, { records, sum, acknowledged }: Found): string[] {
  const damage: string[] = [];
  try {
    const { totals } = new RecordTable(database);
    if (totals.records !== records) damage.push(`${records} records instead of ${totals.records}`);
    if (totals.sum !== sum)
      damage.push(`the sum of the records is ${sum} instead of ${totals.sum}`);
    if (acknowledged !== undefined && totals.sequence < acknowledged) {
      damage.push(
        `it ends with transaction ${totals.sequence}, but ${acknowledged} were acknowledged`,
      );
    }
  } catch (error) {
    damage.push((error as Error).message);
  }
  return damage;
}

function unreadable({ message }: DatabaseError): StoreCheck {
  return { kinds: new Map(), records: 0, sum: 0, damage: [`${DATABASE_NAME}, ${message}`] };
}
