import { crc32 } from 'node:zlib';
import type { RecordKey } from '../../memory/records/record.ts';

/** The checksum of a record with its key, so that a value under another key is noticed as well. @param value as text, or its bytes. */
export function recordChecksum({
  kind,
  queue,
  id,
  value,
}: RecordKey & { readonly value: string | Uint8Array }): number {
  return crc32(value, crc32(`${kind}\0${queue}\0${id}\0`));
}
