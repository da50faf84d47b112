import type { Bounded } from '../../domain/errors.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { parsedJson } from '../../domain/values/json.ts';
import type { Shape } from '../../domain/values/shape.ts';

/** The names of the kinds in the records of stores in memory. A name lasts as long as there are records of its kind. */
export const COLLECTION_KINDS = [
  'worker',
  'policy',
  'hook',
  'hook-state',
  'key-check',
  'limit',
  'subscription',
  'url-group',
  'push-keys',
  'token',
] as const;

interface Bound {
  readonly most: number;
  /** The name of the records in the error for one too many. */
  readonly of: Bounded;
}

/** The folder of a record, which is empty for an id without a slash. */
export function folderOf(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('/')));
}

/** A kind of records that are kept until they are removed. */
export interface Collection<Kept extends object, Id extends string = string> {
  readonly kind: (typeof COLLECTION_KINDS)[number];
  /** Names the hash of the records in Redis, and lasts as long as they do. */
  readonly key: string;
  /** The nature of `put`, by which a full store refuses new records: `enlarges` unless given. */
  readonly put?: 'grows' | 'changes';
  /** How many records there may be; absent where they belong to others that are bounded. */
  readonly bound?: Bound;
  /**
   * For records in folders, whose ids begin with the name of the folder and a slash: how many records a folder may have.
   * `bound` then is that of the folders, each of which is there while it has a record.
   */
  readonly inFolder?: Bound;
  /** The queue that exists, in the same step, once there is the record. */
  readonly queueOf?: (id: Id) => QueueName | undefined;
  /**
   * Reads a text that any program may have written in Redis; one that this service wrote itself unless given.
   *
   * @returns why it is invalid, if it is.
   */
  readonly read?: (id: Id, text: string) => Kept | string;
  /** As JSON unless given. */
  readonly write?: (record: Kept) => string;
  /**
   * Names the list of the latest changes in Redis, for a bounded kind of which every replica holds all records in memory.
   * No id of it is empty.
   */
  readonly changes?: string;
}

/** Reads records that have a shape. @param thing what each of them is. */
export function ofShape<Kept>(shape: Shape<Kept>, thing: string) {
  return (_id: string, text: string): Kept | string => {
    const record = parsedJson(text);
    return shape.accepts(record) ? record : `The record is no ${thing}`;
  };
}
