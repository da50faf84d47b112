import type { SqlRow } from './database.ts';
import type { RecordKey } from '../../memory/records/record.ts';
import { keyText } from '../../memory/records/record-ids.ts';

/** A key as operators read it. */
export function nameOfKey({ kind, queue, id }: SqlRow | RecordKey): string {
  return `record ${[kind, queue, id].map((each) => JSON.stringify(each)).join(' ')}`;
}

/** Comes after all kinds, and after all queues. */
export const BEHIND_ALL = '\u{10ffff}';

/** SQLite orders texts by their bytes, which JavaScript does too except for characters beyond 16 bits. */
export function isAscending(before: RecordKey, after: RecordKey): boolean {
  for (const column of ['kind', 'queue', 'id'] as const) {
    if (before[column] === after[column]) continue;
    return (
      before[column] < after[column] ||
      Buffer.compare(Buffer.from(before[column]), Buffer.from(after[column])) < 0
    );
  }
  return false;
}

const UNIT = 65_536n;
const CHARACTERS = 40;

/** A key about halfway between two others; undefined if they are too close for that. */
export function keyBetween(low: RecordKey, high: RecordKey): RecordKey | undefined {
  const [kind = '', queue = '', ...id] = textOf((numberOf(low) + numberOf(high)) / 2n).split('\0');
  const middle = { kind, queue, id: id.join('') };
  return isAscending(low, middle) && isAscending(middle, high) ? middle : undefined;
}

function numberOf(key: RecordKey): bigint {
  const text = keyText(key).padEnd(CHARACTERS, '\0');
  let number = 0n;
  for (let index = 0; index < CHARACTERS; index += 1) {
    number = number * UNIT + BigInt(text.charCodeAt(index));
  }
  return number;
}

function textOf(number: bigint): string {
  const codes: number[] = [];
  for (let rest = number; codes.length < CHARACTERS; rest /= UNIT)
    codes.unshift(Number(rest % UNIT));
  return String.fromCharCode(...codes);
}
