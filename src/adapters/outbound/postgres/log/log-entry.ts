import type { RecordKind } from '../../memory/records/record-changes.ts';
import { RECORD_KINDS } from '../../memory/records/record-changes.ts';
import { readId, writtenId } from '../../memory/records/record-ids.ts';
import type { RecordChange, RecordKey } from '../../memory/records/record.ts';

/** A record as it is from a round on; null when it is gone. The names are as in the log. */
export interface LoggedChange {
  readonly kind: RecordKind;
  readonly queue: string;
  readonly id: string;
  readonly value: unknown;
}

/** What one round changed. */
export interface LogEntry {
  readonly round: number;
  readonly replica: string;
  /** JSON text of a list of LoggedChange. */
  readonly changes: string;
}

/** The text between the names of a change and its value. */
const BEFORE_VALUE = ',"value":';

/**
 * Where the names of a change end in its text, and its value begins: within a name, there is a backslash before each
 * quote, so that the first of these is that place.
 */
export const END_OF_NAMES = `"${BEFORE_VALUE}`;

/** The changes of a round as JSON text. Their values are JSON already, so that nothing is written twice. */
export function changesText(changes: readonly RecordChange[]): string {
  const texts = changes.map(
    ({ kind, queue, id, value = 'null' }) =>
      `{"kind":"${kind}","queue":${JSON.stringify(writtenId(queue))},"id":${JSON.stringify(id)}${BEFORE_VALUE}${value}}`,
  );
  return `[${texts.join(',')}]`;
}

const RANKS = new Map<string, number>(RECORD_KINDS.map((kind, index) => [kind, index]));

/** The last of the changes of each record, in the order of RECORD_KINDS, with ids and queues as they are in memory. */
export function latestChanges(entries: readonly LogEntry[]): readonly LoggedChange[] {
  const latest = new Map<string, LoggedChange>();
  for (const { changes } of entries) {
    for (const change of JSON.parse(changes) as readonly LoggedChange[]) {
      latest.set(keyText(change), change);
    }
  }
  return inOrder([...latest.values()].map(asInMemory));
}

export function inOrder(changes: readonly LoggedChange[]): readonly LoggedChange[] {
  return changes.toSorted(
    (one, other) => (RANKS.get(one.kind) ?? Infinity) - (RANKS.get(other.kind) ?? Infinity),
  );
}

export function asInMemory(change: LoggedChange): LoggedChange {
  return { ...change, queue: readId(change.queue), id: readId(change.id) };
}

export function keyText({ kind, queue, id }: RecordKey): string {
  return `${kind}\n${queue}\n${id}`;
}
