import { crc32 } from 'node:zlib';
import type { StoredRecord } from '../../memory/records/record.ts';

/** The checksum of a record with its key, so that a value under another key is noticed as well. */
export function recordChecksum({ kind, queue, id, value }: StoredRecord): number {
  return crc32(`${kind}\0${queue}\0${id}\0${value}`);
}
