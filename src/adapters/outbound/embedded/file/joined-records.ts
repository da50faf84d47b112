import type { RecordChange, StoredRecord } from '../../memory/records/record.ts';

/**
 * Records of one kind and queue. A message of two long texts costs much less than one of two thousand short ones, and
 * neither ids nor values contain a NUL as they are written. The value of a record that is gone is empty, as no JSON is.
 */
export interface JoinedRecords {
  readonly kind: string;
  readonly queue: string;
  readonly ids: string;
  readonly values: string;
}

const BETWEEN = '\0';
const GONE = '';

export function joined(changes: readonly RecordChange[]): readonly JoinedRecords[] {
  const packs: JoinedRecords[] = [];
  let [kind, queue] = ['', ''];
  let [ids, values]: [string[], string[]] = [[], []];
  const pack = (): void => {
    if (ids.length === 0) return;
    packs.push({ kind, queue, ids: ids.join(BETWEEN), values: values.join(BETWEEN) });
  };
  for (const change of changes) {
    if (change.kind !== kind || change.queue !== queue) {
      pack();
      ({ kind, queue } = change);
      [ids, values] = [[], []];
    }
    ids.push(change.id);
    values.push(change.value ?? GONE);
  }
  pack();
  return packs;
}

/** Reads packs in which no record is gone. */
export function divided(packs: readonly JoinedRecords[]): readonly StoredRecord[] {
  return packs.flatMap(({ kind, queue, ids, values }) => {
    const each = values.split(BETWEEN);
    return ids
      .split(BETWEEN)
      .map((id, index) => ({ kind, queue, id, value: each[index] as string }));
  });
}

export function dividedChanges(packs: readonly JoinedRecords[]): readonly RecordChange[] {
  return divided(packs).map((record) =>
    record.value === GONE ? { ...record, value: undefined } : record,
  );
}
