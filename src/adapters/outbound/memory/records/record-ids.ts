import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { QueueRecordKind } from './record-changes.ts';
import type { RecordKey } from './record.ts';

/** The database ends a text at a NUL, and replaces what is not well-formed; a quote marks an id that is written as JSON. */
const UNSAFE = /^"|\0/;

/** The id of a record as it is written. */
export function writtenId(id: string): string {
  return UNSAFE.test(id) || !id.isWellFormed() ? JSON.stringify(id) : id;
}

/** The id of a record, from what was written. */
export function readId(written: string): string {
  return written.startsWith('"') ? (JSON.parse(written) as string) : written;
}

/** The id of the record of a numbered part of a job: of a step, or of a piece of its log. */
export function numberedRecordId(jobId: string, number: number): string {
  return JSON.stringify([jobId, number]);
}

export function numberOfRecordId(recordId: string): readonly [jobId: string, number: number] {
  return JSON.parse(recordId) as [string, number];
}

/** A key as it is written, as one text: no part of it has a NUL. */
export function keyText({ kind, queue, id }: RecordKey): string {
  return `${kind}\0${queue}\0${id}`;
}

/** The key of a record of a queue as it is written. */
export function recordKey(kind: QueueRecordKind, queue: QueueName, id: string): RecordKey {
  return { kind, queue, id: writtenId(id) };
}
