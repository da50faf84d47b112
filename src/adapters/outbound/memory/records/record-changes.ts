import { COLLECTION_KINDS } from '../../../../application/kept/collection.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';

/** What the store keeps of each queue. Each kind has ids of its own; a queue has one record of kind `queue`, id ''. */
export const QUEUE_RECORD_KINDS = [
  'queue',
  'job',
  'payload',
  'logs',
  'log-piece',
  'history',
  'child',
  'returned',
  'group',
  'limiter',
  'scheduler',
  'deduplication',
  'add',
  'report',
  'share',
  'events',
  'staged',
  'step',
  'signal',
  'signal-body',
] as const;

export type QueueRecordKind = (typeof QUEUE_RECORD_KINDS)[number];

/** What else it keeps: of the whole service, or figures of a queue. */
const OTHER_RECORD_KINDS = [
  ...COLLECTION_KINDS,
  'hook-look',
  'token-use',
  'session',
  'audit',
  'figures',
  'call-figures',
  'system',
  'setting-of-set',
  'limit-starts',
  'flow-limit',
] as const;

/** Records that replicas share only while they run: other stores keep these in the memory of their process. */
const SHARED_RECORD_KINDS = [
  'replica',
  'quota',
  'ticket',
  'repair-code',
  'sign-in-try',
  'ended-sweep',
  'payload-sweep',
  'limit-call',
  'limit-turn',
] as const;

export const RECORD_KINDS = [
  ...QUEUE_RECORD_KINDS,
  ...OTHER_RECORD_KINDS,
  ...SHARED_RECORD_KINDS,
] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];

/** Receives which records a step changes, as it changes them: a store that is kept on a disk writes these. */
export interface RecordChanges {
  /**
   * @param queue empty for a record of no queue.
   * @param text of the record as it is now, if that is at hand.
   */
  note(kind: RecordKind, queue: QueueName | '', id: string, text?: string): void;

  /** Runs what makes the changes until now known to others: once these are stored, and never if they are lost. */
  announce(run: () => void): void;
}

/** The same for the records of one queue. */
export interface ChangesOfQueue {
  note(kind: QueueRecordKind, id: string, text?: string): void;
}

/** The first change also notes the record of the queue, which distinguishes it from a removed one of the same name. */
export function changesOf(queue: QueueName, changes: RecordChanges): ChangesOfQueue {
  let isFirst = true;
  return {
    note: (kind, id, text) => {
      if (isFirst) changes.note('queue', queue, '');
      isFirst = false;
      changes.note(kind, queue, id, text);
    },
  };
}
