import { attemptFields } from '../../../domain/attempts/attempt-record.ts';
import { suspendedShape } from '../../../domain/steps/awaited.ts';
import { DELIVERY_STATES } from '../../../domain/hooks/delivery.ts';
import type { JobJson } from '../../../domain/jobs/job-json.ts';
import { storedOptionFields } from '../../../domain/jobs/job-options.ts';
import { JOB_STATES, jobCountsShape } from '../../../domain/jobs/job-status.ts';
import type { ShownOrigin } from '../../../domain/jobs/letter.ts';
import {
  anyJson,
  boolean,
  integer,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  onlyTrue,
  optional,
  required,
  string,
  type Field,
  time,
} from '../../../domain/values/shape.ts';
import { searchStepFields, type SearchPage } from '../../jobs/job-search.ts';
import type { JobsPage } from '../../jobs/jobs.ts';
import { allOptional, loosenedFields } from './loosened.ts';

/*
 * The answers of the service. Jobs may come from other producers, which set their options with less care, so the shapes
 * promise little.
 */

const { delay, ...storedOptions } = loosenedFields(storedOptionFields);

export const templateOptions = {
  ...storedOptions,
  failParentOnFailure: optional(boolean, 'Whether a job that waits for it fails when it does'),
  continueParentOnFailure: optional(
    boolean,
    'Whether a job that waits for it starts at once when it fails',
  ),
  ignoreDependencyOnFailure: optional(
    boolean,
    'Whether a job that waits for it continues when it fails as if it had completed',
  ),
};

export const jobOptions = object('JobOptions', { ...templateOptions, delay });

export const suspendedField = optional(
  nullable(suspendedShape),
  'The signals and times that it still awaits; null for a job that is not suspended. In the answer for one job alone',
);

export const jobFields = {
  id: required(string, 'The id in its queue'),
  name: required(string, 'The kind of job'),
  data: optional(anyJson, 'The data for the endpoint, as its producer sent it'),
  opts: required(jobOptions, 'How it is processed'),
  progress: optional(anyJson, 'The progress that the endpoint reported last; 0 at first'),
  returnvalue: optional(anyJson, 'The answer of the endpoint; null until it completes'),
  failedReason: optional(string, 'Why its last attempt failed'),
  stacktrace: required(
    nullable(listOf(string)),
    'The reasons of its failed attempts, oldest first; null until one fails',
  ),
  attemptsStarted: required(integer(0), 'How many attempts started'),
  attemptsMade: required(integer(0), 'How many attempts ended'),
  delay: required(number, 'Milliseconds that it waits before it may start'),
  priority: optional(number, 'The priority of its options; absent when it has none'),
  deduplicationId: optional(string, 'The deduplication id of its options; absent when it has none'),
  timestamp: required(time, 'When it was added, in milliseconds since 1970'),
  processedOn: optional(time, 'When its last attempt started, in milliseconds since 1970'),
  finishedOn: optional(time, 'When it completed or failed, in milliseconds since 1970'),
  redacted: optional(onlyTrue, 'Whether its values were removed, as a policy or an erasure asked'),
  redactedOn: optional(time, 'When its values were removed, in milliseconds since 1970'),
  queueQualifiedName: required(string, 'The name of its queue after the prefix of the store'),
  originOpts: optional(
    jobOptions,
    'Of a letter in a dead letter queue: the options of its original, which a redrive restores',
  ),
} as const satisfies Record<keyof JobJson, Field>;

/** A job as it is after a change. */
export const changedJobAnswer = object('ChangedJob', jobFields);

/** A job as it is read. */
export const jobAnswer = object('Job', {
  ...jobFields,
  state: required(oneOf(...JOB_STATES), 'Where it is'),
  origin: optional(
    object('JobOrigin', {
      queue: required(string, 'The queue of the original'),
      id: required(string, 'The id of the original in its queue'),
      failedReason: required(nullable(string), 'Why the original failed; null if it completed'),
      state: required(
        nullable(oneOf(...JOB_STATES)),
        'Where the original is now; null when it is gone, or in a queue that the token may not use',
      ),
    } as const satisfies Record<keyof ShownOrigin, Field>),
    'The job that a letter in a dead letter queue is a copy of; absent for other jobs',
  ),
  suspended: suspendedField,
  callback: optional(
    object('JobCallback', {
      state: required(oneOf(...DELIVERY_STATES), 'Whether it was delivered'),
      attempts: required(integer(0), 'How many attempts were made'),
      lastStatus: required(
        nullable(integer(0)),
        'The status of the last answer; null without one, and where a job was added to a queue',
      ),
    }),
    'The outcome of the callback that followed its latest end; absent before there is one, and in lists',
  ),
});

const { id, ...otherFields } = jobFields;

export const addedJobAnswer = object('AddedJob', {
  id,
  ...allOptional(otherFields),
  deduplicated: optional(
    boolean,
    'True for a job that stands for the deduplication id of the one asked for',
  ),
});

/** For jobs that already existed, the answer may contain only the id. */
export const addedJobsAnswer = listOf(addedJobAnswer);

export const jobsPageFields = {
  counts: required(jobCountsShape, 'How many jobs of each status the queue holds'),
  jobs: required(listOf(jobAnswer), 'The jobs of this page'),
  start: required(integer(0), 'How many jobs were skipped'),
  length: required(integer(0), 'Most jobs that were to be returned'),
} as const satisfies Record<keyof JobsPage, Field>;

export const endedJobAnswer = object('EndedJob', {
  state: required(oneOf('completed', 'failed'), 'How it ended'),
  returnvalue: optional(anyJson, 'The answer of the endpoint, when it completed'),
  failedReason: optional(string, 'Why its last attempt failed, when it failed'),
});

export const unendedJobAnswer = object('UnendedJob', {
  state: required(
    oneOf('active', 'waiting', 'prioritized', 'delayed', 'waiting-children'),
    'Where it is',
  ),
});

export const jobSearchFields = {
  jobs: required(listOf(jobAnswer), 'The jobs that match'),
  ...searchStepFields,
} as const satisfies Record<keyof SearchPage, Field>;

const attempt = object('Attempt', attemptFields);

export const jobAttemptsAnswer = object('JobAttempts', {
  count: required(integer(0), 'How many attempts were made in all'),
  attempts: required(listOf(attempt), 'The last ten of them, oldest first'),
});
