import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { QueueRecordKind } from './record-changes.ts';

/**
 * The owner of values that leave the memory once they are stored: a job, a child as its parent knows it, a piece of a log,
 * a step, a kept signal, or a batch of events. */
export interface ValueKey {
  readonly of: 'job' | 'child' | 'log-piece' | 'step' | 'signal-body' | 'events';
  readonly queue: QueueName;
  /** The id of the job, or of the record of another. */
  readonly id: string;
}

/** The records that have values, by their owners. */
const KINDS: Readonly<Record<ValueKey['of'], readonly QueueRecordKind[]>> = {
  job: ['job', 'payload', 'logs', 'history'],
  child: ['child', 'returned'],
  'log-piece': ['log-piece'],
  step: ['step'],
  'signal-body': ['signal-body'],
  events: ['events'],
};

const OWNERS: ReadonlyMap<string, ValueKey['of']> = new Map(
  (Object.keys(KINDS) as ValueKey['of'][]).flatMap((of) => KINDS[of].map((kind) => [kind, of])),
);

/** Records that have more than values: a start reads them. */
const KINDS_AT_START: readonly string[] = ['job', 'child', 'events'] satisfies QueueRecordKind[];

/** The records that are read by their keys alone, not at the start: what may be large. */
export const KINDS_OF_VALUES: ReadonlySet<string> = new Set(
  [...OWNERS.keys()].filter((kind) => !KINDS_AT_START.includes(kind)),
);

/** The kinds of the records with the values of such an owner. */
export function kindsOf({ of }: Pick<ValueKey, 'of'>): readonly QueueRecordKind[] {
  return KINDS[of];
}

/** Whether records of a kind have values with an owner. */
export function isOwned(kind: string): boolean {
  return OWNERS.has(kind);
}

/** The owner of the values of a record; undefined for records that stay in memory. */
export function ownerOf(kind: string, queue: string, id: string): ValueKey | undefined {
  const of = OWNERS.get(kind);
  return of && { of, queue: queue as QueueName, id };
}
