import type { RecordFile } from '../../../src/adapters/outbound/embedded/file/record-file.ts';
import type {
  RecordChange,
  StoredRecord,
} from '../../../src/adapters/outbound/memory/records/record.ts';

export function put(id: string, value: unknown, queue = 'mail', kind = 'job'): StoredRecord {
  return { kind, queue, id, value: JSON.stringify(value) };
}

export function removal(id: string, queue = 'mail', kind = 'job'): RecordChange {
  return { kind, queue, id, value: undefined };
}

export async function allRecords(file: RecordFile): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const piece of file.records()) records.push(...piece);
  return records;
}
