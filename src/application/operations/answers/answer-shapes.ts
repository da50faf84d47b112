import { ATTEMPT_OUTCOMES, type AttemptJson } from '../../../domain/attempts/attempt-record.ts';
import type { FlowJson } from '../../../domain/flows/flow-json.ts';
import { FAILURE_RULES, type FlowChild } from '../../../domain/flows/flow.ts';
import { DELIVERY_STATES } from '../../../domain/hooks/delivery.ts';
import type { JobJson } from '../../../domain/jobs/job-json.ts';
import { storedOptionFields } from '../../../domain/jobs/job-options.ts';
import { JOB_STATES, jobCountsShape } from '../../../domain/jobs/job-status.ts';
import type { ShownOrigin } from '../../../domain/jobs/letter.ts';
import {
  OVERLAPS,
  repeatShape,
  type Scheduler,
  type SchedulerTemplate,
  lastScheduledFields,
  runByHandShape,
} from '../../../domain/schedulers/scheduler.ts';
import { skippedSlotShape } from '../../../domain/schedulers/slot.ts';
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
  type Shape,
  time,
} from '../../../domain/values/shape.ts';
import type { SearchPage } from '../../jobs/job-search.ts';
import type { JobsPage } from '../../jobs/jobs.ts';
import type { ListedScheduler, AllSchedulersPage } from '../../schedulers/schedulers.ts';
import { allOptional, loosenedFields } from './loosened.ts';

/*
 * The answers of the service. Jobs may come from other producers, which set their options with less care, so the shapes
 * promise little.
 */

const { delay, ...storedOptions } = loosenedFields(storedOptionFields);

const templateOptions = {
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

const jobOptions = object('JobOptions', { ...templateOptions, delay });

const jobFields = {
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
  callback: optional(
    object('JobCallback', {
      state: required(oneOf(...DELIVERY_STATES), 'Whether it was delivered'),
      attempts: required(integer(0), 'How many attempts were made'),
      lastStatus: required(
        nullable(integer(0)),
        'The status of the last answer; null without one, and where a job was added to a queue',
      ),
    }),
    'What became of the callback that followed its latest end; absent before there is one, and in lists',
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

const flowChild = {
  queue: required(string, 'The queue of the job'),
  id: required(string, 'The id in its queue'),
  name: required(nullable(string), 'The kind of job; null when it is gone'),
  state: required(
    nullable(oneOf(...JOB_STATES)),
    'Where it is, or how it ended for its parent; null when it is gone and did not end before',
  ),
  returnvalue: optional(anyJson, 'The answer of the endpoint; null until it completes'),
} as const satisfies Record<keyof FlowChild, Field>;

export const flowChildrenAnswer = listOf(object('FlowChild', flowChild));

const claimedJob = object('ClaimedJob', {
  job: required(object('ActiveJob', jobFields), 'The job as its call would have it'),
  token: required(string, 'The token that holds the job, and that reports need'),
  children: optional(
    flowChildrenAnswer,
    'The outcomes of the jobs that it waited for, as its call would carry them; absent when there are none',
  ),
});

export const claimedJobsAnswer = listOf(claimedJob);

const { queue, id: flowJobId, name: flowJobName, state } = flowChild;
const { timestamp, processedOn, finishedOn } = jobFields;

const belowFlowJob: Shape<readonly object[]> = {
  ...listOf(object('StoredFlowJob', {})),
  schema: { type: 'array', items: { title: 'StoredFlowJob' } },
};

const LEFT_OUT = 'absent when it is longer than 1 kB: the job itself has it';

/** A tree of jobs. */
export const flowAnswer = object('StoredFlowJob', {
  queue,
  id: flowJobId,
  name: { ...flowJobName, isRequired: false },
  data: optional(anyJson, `The data for the endpoint, as its producer sent it; ${LEFT_OUT}`),
  opts: optional(jobOptions, `How it is processed; ${LEFT_OUT}`),
  onChildFailure: optional(
    oneOf(...FAILURE_RULES),
    'The effect of its failure on the job above it, which by default keeps waiting',
  ),
  state: { ...state, isRequired: false },
  returnvalue: optional(
    anyJson,
    `The answer of the endpoint, null until it completes; ${LEFT_OUT}`,
  ),
  failedReason: optional(string, `Why its last attempt failed; ${LEFT_OUT}`),
  timestamp: { ...timestamp, isRequired: false },
  processedOn,
  finishedOn,
  children: required(belowFlowJob, 'The jobs that it waits for, or waited for'),
} as const satisfies Record<keyof FlowJson, Field>);

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
  scanned: required(integer(0), 'How many jobs were examined'),
  cursor: required(nullable(string), 'Where the next call goes on; null at the end'),
} as const satisfies Record<keyof SearchPage, Field>;

const attempt = object('Attempt', {
  number: required(integer(1), 'From 1, over all attempts of the job'),
  startedAt: required(time, 'When it started, in milliseconds since 1970'),
  endedAt: required(time, 'When it ended, in milliseconds since 1970'),
  outcome: required(oneOf(...ATTEMPT_OUTCOMES), 'The outcome of the attempt'),
  status: required(nullable(integer(100)), 'The status of the answer; null when there was none'),
  reason: required(
    nullable(string),
    'Why it failed, or what was wrong with the answer that completed the job; else null',
  ),
  response: optional(nullable(string), 'The first kB of the answer; null when there was none'),
  durationMs: required(integer(0), 'For how many milliseconds it ran'),
  replica: required(nullable(string), 'Which replica made it, as `instance` in its log'),
  traceId: required(nullable(string), 'The id of its trace; null when it was not traced'),
  batch: optional(
    object('AttemptBatch', {
      id: required(string, 'The id of the call'),
      size: required(integer(1), 'How many jobs it had'),
    }),
    'The call, where it had several jobs',
  ),
  group: optional(string, 'The group of the job, if it has one'),
} as const satisfies Record<keyof AttemptJson, Field>);

export const jobAttemptsAnswer = object('JobAttempts', {
  count: required(integer(0), 'How many attempts were made in all'),
  attempts: required(listOf(attempt), 'The last ten of them, oldest first'),
});

const schedulerTemplate = object('ScheduledJob', {
  name: required(string, 'The kind of job'),
  data: optional(anyJson, 'The data for the endpoint'),
  opts: required(object('ScheduledJobOptions', templateOptions), 'How each job is processed'),
} as const satisfies Record<keyof SchedulerTemplate, Field>);

const lastScheduled = object('LastScheduled', lastScheduledFields);

const schedulerFields = {
  id: required(string, 'The id of the scheduler in its queue'),
  repeat: required(repeatShape, 'When it makes jobs'),
  job: required(schedulerTemplate, 'The template of its jobs'),
  overlap: required(
    oneOf(...OVERLAPS),
    'Whether a slot that comes while the previous job has not ended still makes a job, or none',
  ),
  paused: required(boolean, 'Whether it makes no jobs until it is resumed'),
  next: required(
    listOf(time),
    'The next five slots, or as many as there are, in milliseconds since 1970; none while it is paused',
  ),
  last: required(
    nullable(lastScheduled),
    'The job of a slot that started last; null before the first one',
  ),
  lastRunByHand: required(
    nullable(runByHandShape),
    'The job that `run` made last, apart from the slots; null before the first one',
  ),
  skipped: optional(
    skippedSlotShape,
    'The latest slot that made no job since the memory of the store was full; absent before the first one',
  ),
} as const satisfies Record<keyof Scheduler, Field>;

export const schedulerAnswer = object('Scheduler', schedulerFields);

export const allSchedulersAnswer = object('AllSchedulers', {
  total: required(integer(0), 'The number of schedulers on all pages together'),
  schedulers: required(
    listOf(
      object('ListedScheduler', {
        queue: required(string, 'The queue of the scheduler'),
        ...schedulerFields,
      } as const satisfies Record<keyof ListedScheduler, Field>),
    ),
    'The schedulers of this page',
  ),
} as const satisfies Record<keyof AllSchedulersPage, Field>);

export const holdAnswer = object('Held', {
  until: required(time, 'Until when no job of the queue starts, in milliseconds since 1970'),
});

export const secretAnswer = object('Secret', {
  secret: required(
    string,
    'The secret that verifies the signatures of calls; it is shown only this once',
  ),
});

export const readinessAnswer = object('Readiness', {
  status: required(oneOf('ready', 'unavailable'), 'Whether the replica does its work'),
  reason: optional(string, 'Why it does not'),
});
