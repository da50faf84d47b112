import type { StoredRecord } from '../../memory/records/record.ts';
import { packed } from './packed-records.ts';

/**
 * Records of one kind and queue. A message of two long texts costs much less than one of two thousand short ones, and
 * neither ids nor values contain a NUL as they are written.
 */
export interface JoinedRecords {
  readonly kind: string;
  readonly queue: string;
  readonly ids: string;
  readonly values: string;
}

const BETWEEN = '\0';

export function joined(records: readonly StoredRecord[]): readonly JoinedRecords[] {
  return packed(records).map(({ kind, queue, ids, values }) => {
    return { kind, queue, ids: ids.join(BETWEEN), values: values.join(BETWEEN) };
  });
}

export function divided(packs: readonly JoinedRecords[]): readonly StoredRecord[] {
  return packs.flatMap(({ kind, queue, ids, values }) => {
    const each = values.split(BETWEEN);
    return ids
      .split(BETWEEN)
      .map((id, index) => ({ kind, queue, id, value: each[index] as string }));
  });
}
