import type { RecordKind } from '../../memory/records/record-changes.ts';
import { RECORD_KINDS } from '../../memory/records/record-changes.ts';
import { keyText, readId, writtenId } from '../../memory/records/record-ids.ts';
import type { RecordChange } from '../../memory/records/record.ts';

/** A record as it is from a round on; null when it is gone. The names are as in the log. */
export interface LoggedChange {
  readonly kind: RecordKind;
  readonly queue: string;
  readonly id: string;
  readonly value: unknown;
}

/** A change as a replica takes it. */
export interface TakenChange extends LoggedChange {
  /** The round that made it; undefined where that is not known. */
  readonly round: number | undefined;
}

/** What one round changed. */
export interface LogEntry {
  readonly round: number;
  /** In place of a round of its own: earlier ones made the changes. */
  readonly isOfSeveral?: true;
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
export function latestChanges(entries: readonly LogEntry[]): readonly TakenChange[] {
  const latest = new Map<string, TakenChange>();
  for (const { round, isOfSeveral = false, changes } of entries) {
    const by = isOfSeveral ? undefined : round;
    for (const change of JSON.parse(changes) as readonly LoggedChange[]) {
      const { kind, queue, id, value } = change;
      const taken = { kind, queue: readId(queue), id: readId(id), value, round: by };
      latest.set(keyText(change), taken);
    }
  }
  return [...latest.values()].sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ kind }: LoggedChange): number {
  return RANKS.get(kind) ?? Infinity;
}
