import { JOB_STATES } from '../../../domain/jobs/job-status.ts';
import type { JobSummary } from '../../../domain/jobs/job-summary.ts';
import {
  integer,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  required,
  string,
  type Field,
  time,
} from '../../../domain/values/shape.ts';
import type { SearchPage } from '../../jobs/job-search.ts';
import type { JobsPage } from '../../jobs/jobs.ts';
import { jobsPageFields, jobSearchFields, suspendedField } from './job-answers.ts';

const parent = object('SummaryParent', {
  queue: required(string, 'The queue of the job that waits for it'),
  id: required(string, 'The id of that job'),
});

/** A job without the values of clients. */
export const jobSummaryAnswer = object('JobSummary', {
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
  suspended: suspendedField,
} as const satisfies Record<keyof JobSummary | 'suspended', Field>);

const jobs = required(listOf(jobSummaryAnswer), 'The jobs of this page');

export const summariesPageAnswer = object('SummariesPage', {
  ...jobsPageFields,
  jobs,
} as const satisfies Record<keyof JobsPage, Field>);

export const summarySearchAnswer = object('SummarySearch', {
  ...jobSearchFields,
  jobs,
} as const satisfies Record<keyof SearchPage, Field>);
