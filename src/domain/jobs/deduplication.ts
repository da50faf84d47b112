import { printableText } from '../values/printable-text.ts';
import {
  boolean,
  integer,
  object,
  optional,
  required,
  type Shaped,
  nullable,
  string,
} from '../values/shape.ts';

const deduplicationId = printableText(255, 'customer-17');

/**
 * While a job stands for an id, other jobs with that id are not added. It does so until it ends or is removed, or for a
 * given time. The options of the other jobs decide what happens to them.
 */
export const deduplicationShape = object('Deduplication', {
  id: required(
    deduplicationId,
    'While a job of the queue stands for this id, the job is not added',
    'While a job stands for this id, others of it are not added',
  ),
  ttl: optional(
    integer(0),
    'Milliseconds that the job stands for its id, even if it ends before; 0 and absent mean until it ends',
    'Milliseconds that a job stands for the id',
  ),
  extend: optional(boolean, 'Whether a job that is not added makes the time begin anew'),
  replace: optional(
    boolean,
    'Whether it takes the place of a job that is delayed',
    'Whether it takes the place of a delayed job',
  ),
  keepLastIfActive: optional(
    boolean,
    'Whether the last job that was not added during the attempt of another is added when that one ends; ttl does ' +
      'not count then',
    'Whether the last job is added when the active one ends',
  ),
  reschedule: optional(
    boolean,
    'Whether a delayed job waits for the delay of the one that is not added, from now; not with replace',
    'Whether a delayed job takes its delay',
  ),
});

export type DeduplicationOptions = Shaped<typeof deduplicationShape>;

/** Which job stands for a deduplication id. */
export const queueDeduplicationShape = object('QueueDeduplication', {
  id: required(string, 'The deduplication id'),
  jobId: required(string, 'The id of the job that stands for it'),
  ttl: required(
    nullable(integer(0)),
    'For how many more milliseconds; null for as long as the job has not ended',
  ),
});

export type Deduplication = Shaped<typeof queueDeduplicationShape>;
