import type { QueueName } from '../../../../domain/queues/queue-name.ts';

/** What the store keeps of each queue. Each kind has ids of its own; a queue has one record of kind `queue`, id ''. */
export const QUEUE_RECORD_KINDS = [
  'queue',
  'job',
  'payload',
  'logs',
  'child',
  'group',
  'limiter',
  'scheduler',
  'deduplication',
  'add',
  'report',
  'share',
  'events',
] as const;

export type QueueRecordKind = (typeof QUEUE_RECORD_KINDS)[number];

/** What else it keeps: of the whole service, or figures of a queue. */
export type OtherRecordKind =
  | 'worker'
  | 'policy'
  | 'token'
  | 'token-use'
  | 'session'
  | 'audit'
  | 'key-check'
  | 'figures'
  | 'call-figures'
  | 'system';

export type RecordKind = QueueRecordKind | OtherRecordKind;

/** Receives which records a step changes, as it changes them: a store that is kept on a disk writes these. */
export interface RecordChanges {
  /** @param queue empty for a record of no queue. */
  note(kind: RecordKind, queue: QueueName | '', id: string): void;
}

/** The same for the records of one queue. */
export interface ChangesOfQueue {
  note(kind: QueueRecordKind, id: string): void;
}

export function changesOf(queue: QueueName, changes: RecordChanges): ChangesOfQueue {
  return {
    note: (kind, id) => {
      changes.note(kind, queue, id);
    },
  };
}
