import { cutToLength } from '../values/text.ts';
import {
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  required,
  string,
  time,
  type Members,
} from '../values/shape.ts';
import { JOB_STATES } from './job-status.ts';

/** How much of a reason a summary contains, in characters. */
const LONGEST_REASON = 200;

const parent = object('SummaryParent', {
  queue: required(string, 'The queue of the job that waits for it'),
  id: required(string, 'The id of that job'),
});

/** A job without the values of clients (platform contract, section 10). */
export const jobSummaryFields = {
  id: required(string, 'The id in its queue'),
  name: required(string, 'The kind of job'),
  state: required(oneOf(...JOB_STATES), 'Where it is'),
  timestamp: required(time, 'When it was added, in milliseconds since 1970'),
  processedOn: required(
    nullable(time),
    'When its last attempt started, in milliseconds since 1970; null before the first',
  ),
  finishedOn: required(
    nullable(time),
    'When it completed or failed, in milliseconds since 1970; null before',
  ),
  dueAt: required(
    nullable(time),
    'When it is due, in milliseconds since 1970; null unless it is delayed',
  ),
  priority: required(number, 'Its priority; 0 without one'),
  attemptsMade: required(integer(0), 'How many attempts ended'),
  attempts: required(number, 'Most attempts, as its producer asked for; 0 when it did not'),
  progress: optional(nullable(number), 'Its progress, 0 at first; null when that is no number'),
  failedReason: required(
    nullable(string),
    'Why its last attempt failed, the first 200 characters; null when none did',
  ),
  lastStatus: required(
    nullable(number),
    'The status of the last answer; null without one, or if the job was cancelled or expired after it',
  ),
  group: required(nullable(string), 'The group of the job; null without one'),
  parent: required(nullable(parent), 'The job that waits for it; null without one'),
  dataSize: required(integer(0), 'The size of its data as it is stored, in bytes of JSON'),
};

/** As the service makes it, with each of the fields. */
export type JobSummary = Required<Members<typeof jobSummaryFields>>;

/** The beginning of a reason, as summaries contain it. */
export function summarizedReason(reason: string): string {
  return cutToLength(reason, LONGEST_REASON);
}
