import { RecordStore } from '../../../src/adapters/outbound/embedded/file/record-store.ts';
import type { DatabaseDriver } from '../../../src/adapters/outbound/embedded/file/database.ts';
import type { RecordChange } from '../../../src/adapters/outbound/memory/records/record.ts';
import { put, removal } from './records.ts';

const KEYS = 200;
const MOST_RECORDS = 20;

/** Values by the ids of records. */
export type Values = ReadonlyMap<string, string>;

/** Some puts and removals. @param most characters of a value. */
export function randomChanges(random: () => number, most: number): readonly RecordChange[] {
  return Array.from({ length: 1 + Math.floor(random() * MOST_RECORDS) }, () => {
    const id = String(Math.floor(random() * KEYS));
    return random() < 0.2 ? removal(id) : put(id, 'x'.repeat(Math.floor(random() * most)));
  });
}

export function changed(before: Values, changes: readonly RecordChange[]): Values {
  const values = new Map(before);
  for (const { id, value } of changes) {
    if (value === undefined) values.delete(id);
    else values.set(id, value);
  }
  return values;
}

/** What a folder holds that nobody has open. */
export async function valuesIn(folder: string, driver: DatabaseDriver): Promise<Values> {
  const store = await RecordStore.open(folder, driver);
  try {
    const reader = store.reader();
    const values = new Map<string, string>();
    for (let piece = reader.next(); piece.length > 0; piece = reader.next()) {
      for (const { id, value } of piece) values.set(id, value);
    }
    return values;
  } finally {
    store.close();
  }
}

export function areEqual(one: Values, other: Values): boolean {
  return one.size === other.size && [...one].every(([id, value]) => other.get(id) === value);
}
