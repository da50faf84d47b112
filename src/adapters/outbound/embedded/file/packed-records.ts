import type { RecordChange } from '../../memory/records/record.ts';

/** Records of one kind and queue: a message of few long lists costs much less than one of many objects. */
export interface PackedRecords<Value> {
  readonly kind: string;
  readonly queue: string;
  readonly ids: readonly string[];
  readonly values: readonly Value[];
}

interface Packing<Value> extends PackedRecords<Value> {
  readonly ids: string[];
  readonly values: Value[];
}

type Packable<Value> = Omit<RecordChange, 'value'> & { readonly value: Value };

export function packed<Value>(
  records: readonly Packable<Value>[],
): readonly PackedRecords<Value>[] {
  const packs: Packing<Value>[] = [];
  let last: Packing<Value> | undefined;
  for (const { kind, queue, id, value } of records) {
    if (last?.kind !== kind || last.queue !== queue) {
      packs.push((last = { kind, queue, ids: [], values: [] }));
    }
    last.ids.push(id);
    last.values.push(value);
  }
  return packs;
}

export function unpacked<Value>(
  packs: readonly PackedRecords<Value>[],
): readonly Packable<Value>[] {
  return packs.flatMap(({ kind, queue, ids, values }) =>
    ids.map((id, index) => ({ kind, queue, id, value: values[index] as Value })),
  );
}
