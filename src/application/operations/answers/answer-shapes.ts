import { BLOCKING_REASONS, type Blocked } from '../../../domain/workers/blocked.ts';
import type { JobsPage } from '../../jobs/jobs.ts';
import type { FailureGroup } from '../../../domain/jobs/failures.ts';
import type { ErasedPlaces, ErasureResult } from '../../jobs/erasures.ts';
import type { ShownOrigin } from '../../../domain/jobs/letter.ts';
import type { RepairResult } from '../../jobs/bulk-repairs.ts';
import type { SearchPage } from '../../jobs/job-search.ts';
import type { FailuresReport } from '../../jobs/failures.ts';
import type { JobJson } from '../../../domain/jobs/job-json.ts';
import type { ListedQueue } from '../../queues/listed-queue.ts';
import type { DeadLetters, QueueOverview, QueuesPage, RemovedQueue } from '../../queues/queues.ts';
import type { WindowState } from '../../../domain/queues/window.ts';
import { ATTEMPT_OUTCOMES, type AttemptJson } from '../../../domain/attempts/attempt-record.ts';
import type { Deduplication } from '../../../domain/jobs/deduplication.ts';
import { storedOptionFields } from '../../../domain/jobs/job-options.ts';
import {
  JOB_STATES,
  JOB_STATUSES,
  type JobCounts,
  type StateCounts,
} from '../../../domain/jobs/job-status.ts';
import {
  anyJson,
  boolean,
  integer,
  listOf,
  mapOf,
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
} from '../../../domain/values/shape.ts';
import { WORKER_STATES, type WorkerHealth } from '../../../domain/workers/worker-health.ts';
import type { FlowJson } from '../../../domain/flows/flow-json.ts';
import { FAILURE_RULES, type FlowChild } from '../../../domain/flows/flow.ts';
import {
  OVERLAPS,
  repeatShape,
  type LastScheduled,
  type RunByHand,
  type Scheduler,
  type SchedulerTemplate,
} from '../../../domain/schedulers/scheduler.ts';
import type { SkippedSlot } from '../../../domain/schedulers/slot.ts';
import type { AllSchedulersPage, ListedScheduler } from '../../schedulers/schedulers.ts';
import { DELIVERY_STATES } from '../../../domain/hooks/delivery.ts';
import { policyShape } from '../../../domain/policies/policy.ts';
import { HOLDERS } from '../../../domain/queues/hold.ts';
import { limiterShape } from '../../../domain/queues/limiter.ts';
import { allOptional, loosenedFields } from './loosened.ts';

/*
 * The answers of the service. Jobs may come from other producers, which set their options with less care, so the shapes
 * promise little.
 */

const time = integer(0);

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

export const extendedLockAnswer = object('ExtendedLock', {
  until: required(
    time,
    'Until when the job is held without another extension, in milliseconds since 1970',
  ),
});

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

const countFields = Object.fromEntries(
  JOB_STATUSES.map((status) => [status, required(integer(0), `How many jobs are ${status}`)]),
) as Record<keyof JobCounts, Field>;

const parents = integer(0);

const PARENTS = 'How many jobs wait for others';

const jobCounts = object('JobCounts', {
  ...countFields,
  'waiting-children': optional(parents, `${PARENTS}; only when they are asked for`),
});

const stateCounts = object('StateCounts', {
  ...countFields,
  'waiting-children': required(parents, PARENTS),
} as const satisfies Record<keyof StateCounts, Field>);

export const jobsPageFields = {
  counts: required(jobCounts, 'How many jobs of each status the queue holds'),
  jobs: required(listOf(jobAnswer), 'The jobs of this page'),
  start: required(integer(0), 'How many jobs were skipped'),
  length: required(integer(0), 'Most jobs that were to be returned'),
} as const satisfies Record<keyof JobsPage, Field>;

export const jobsPageAnswer = object('JobsPage', jobsPageFields);

export const jobLogsAnswer = object('JobLogs', {
  count: required(integer(0), 'How many lines the job keeps'),
  logs: required(listOf(string), 'The lines of this page, oldest first'),
});

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

export const jobSearchAnswer = object('JobSearch', jobSearchFields);

export const repairAnswer = object('RepairResult', {
  matched: required(integer(0), 'How many jobs matched, whatever the limit'),
  done: required(integer(0), 'How many of them it repaired'),
  remaining: required(integer(0), 'How many jobs still match'),
  skipped: optional(
    integer(1),
    'How many jobs it passed over: redacted ones, and letters that the token may not bring back; absent for none',
  ),
  samples: optional(listOf(string), 'Of a dry run: the ids of those that would be first'),
} as const satisfies Record<keyof RepairResult, Field>);

export const erasureAnswer = object('ErasureResult', {
  matched: required(integer(0), 'How many jobs matched, whatever the limit'),
  done: required(integer(0), 'How many of them it erased'),
  remaining: required(
    integer(0),
    'How many jobs still match: beyond the limit, active, or the next one of a scheduler',
  ),
  places: required(
    object('ErasedPlaces', {
      jobs: required(integer(0), 'Jobs'),
      events: required(integer(0), 'Kept events that lost values'),
      remembered: required(
        integer(0),
        'Remembered adds that named a job, and jobs that waited for their deduplication id',
      ),
      callbacks: required(integer(0), 'Calls and jobs that followed the end of a job'),
      deliveries: required(integer(0), 'Messages to hooks'),
    } as const satisfies Record<keyof ErasedPlaces, Field>),
    'How much was removed, by where it was',
  ),
} as const satisfies Record<keyof ErasureResult, Field>);

export const failureGroupFields = {
  cause: required(string, 'The reason, with numbers, ids, addresses and quoted parts masked'),
  reason: required(string, 'The reason of the latest of these jobs'),
  status: required(
    nullable(integer(100, 599)),
    'The status of the last answer; null when the reason does not contain it',
  ),
  count: required(integer(1), 'How many of the jobs failed for this cause'),
  first: required(time, 'When the first of them failed, in milliseconds since 1970'),
  last: required(time, 'When the last of them failed, in milliseconds since 1970'),
  samples: required(listOf(string), 'The ids of some of them, the latest first'),
} as const satisfies Record<keyof FailureGroup, Field>;

const failureGroup = object('FailureGroup', failureGroupFields);

export const failuresAnswer = object('Failures', {
  window: required(integer(0), 'How many of the latest failed jobs were examined'),
  failed: required(integer(0), 'How many failed jobs the queue holds'),
  causes: required(listOf(failureGroup), 'Why they failed, the most frequent cause first'),
} as const satisfies Record<keyof FailuresReport, Field>);

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

export const listedQueueFields = {
  name: required(string, 'The name of the queue'),
  paused: required(boolean, 'Whether no job starts until the queue is resumed'),
  counts: required(stateCounts, 'How many jobs of each state the queue holds'),
  oldestWaiting: required(
    nullable(integer(0)),
    'For how many milliseconds the oldest waiting or prioritized job could have started; null when none waits',
  ),
  worker: required(nullable(string), 'The URL of the endpoint; null without a worker'),
} as const satisfies Record<keyof ListedQueue, Field>;

export const queuesPageAnswer = object('QueuesPage', {
  total: required(integer(0), 'The number of queues on all pages together'),
  queues: required(listOf(object('ListedQueue', listedQueueFields)), 'The queues of this page'),
} as const satisfies Record<keyof QueuesPage, Field>);

export const blockedAnswer = object('Blocked', {
  reason: required(oneOf(...BLOCKING_REASONS), 'The first reason that keeps jobs from starting'),
  until: optional(
    time,
    'When that ends by itself, in milliseconds since 1970; absent where unknown',
  ),
  detail: required(string, 'The reason as a sentence for people'),
  queue: optional(
    string,
    'The queue of the job that has to end or to be retried first; absent without such a job, or when the token may not use its queue',
  ),
  id: optional(string, 'The id of that job'),
} as const satisfies Record<keyof Blocked, Field>);

export const blockedJobAnswer = object('BlockedJob', {
  blocked: required(
    nullable(blockedAnswer),
    'Why the job does not start; null when it starts in its turn, runs or has ended',
  ),
});

const windowStateAnswer = object('WindowState', {
  open: required(boolean, 'Whether jobs may start'),
  changesAt: required(
    nullable(time),
    'When that changes, in milliseconds since 1970; null if it never does',
  ),
} as const satisfies Record<keyof WindowState, Field>);

export const queueAnswer = object('Queue', {
  ...listedQueueFields,
  concurrency: required(nullable(integer(1)), 'Most calls at a time; null without a worker'),
  limiter: required(nullable(limiterShape), 'The bound on the rate of the calls; null without one'),
  heldUntil: required(
    nullable(time),
    'Until when no job starts, in milliseconds since 1970; null unless the queue is held',
  ),
  heldBy: required(
    nullable(oneOf(...HOLDERS)),
    'Whether an answer of the endpoint or a caller of the API holds the queue; null unless it is held',
  ),
  window: required(
    nullable(windowStateAnswer),
    'Whether jobs may start now by the window of the queue; null without a window',
  ),
  policy: required(nullable(policyShape), 'The policy of the queue itself; null without'),
  deadLetters: required(
    nullable(
      object('DeadLetters', {
        from: required(listOf(string), 'The queues whose failed jobs policies send there, by name'),
      } as const satisfies Record<keyof DeadLetters, Field>),
    ),
    'The queues that send their dead letters to it, so that it needs no worker; null for any other queue',
  ),
  stuckParents: required(
    integer(0),
    'How many of its jobs wait for a child that failed for good, as far as one look goes',
  ),
  blocked: required(
    nullable(blockedAnswer),
    'Why nothing starts although jobs wait; null when jobs start, or none waits',
  ),
} as const satisfies Record<keyof QueueOverview, Field>);

export const deduplicationAnswer = object('QueueDeduplication', {
  id: required(string, 'The deduplication id'),
  jobId: required(string, 'The id of the job that stands for it'),
  ttl: required(
    nullable(integer(0)),
    'For how many more milliseconds; null for as long as the job has not ended',
  ),
} as const satisfies Record<keyof Deduplication, Field>);

const schedulerTemplate = object('ScheduledJob', {
  name: required(string, 'The kind of job'),
  data: optional(anyJson, 'The data for the endpoint'),
  opts: required(object('ScheduledJobOptions', templateOptions), 'How each job is processed'),
} as const satisfies Record<keyof SchedulerTemplate, Field>);

const lastScheduledFields = {
  at: required(time, 'The slot that it was made for, in milliseconds since 1970'),
  jobId: required(string, 'Its id'),
  state: required(nullable(oneOf(...JOB_STATES)), 'Where it is; null once it is gone'),
} as const satisfies Record<keyof LastScheduled, Field>;

const lastScheduled = object('LastScheduled', lastScheduledFields);

const runByHand = object('RunByHand', {
  ...lastScheduledFields,
  at: required(time, 'When it was made, in milliseconds since 1970'),
} as const satisfies Record<keyof RunByHand, Field>);

const skippedSlot = object('SkippedSlot', {
  at: required(time, 'The slot, in milliseconds since 1970'),
  reason: required(oneOf('memory'), 'Why it made no job'),
} as const satisfies Record<keyof SkippedSlot, Field>);

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
    nullable(runByHand),
    'The job that `run` made last, apart from the slots; null before the first one',
  ),
  skipped: optional(
    skippedSlot,
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

export const schedulersAnswer = listOf(schedulerAnswer);

export const holdAnswer = object('Held', {
  until: required(time, 'Until when no job of the queue starts, in milliseconds since 1970'),
});

export const drainAnswer = object('Drained', {
  removed: required(integer(0), 'How many jobs were removed'),
});

const removedQueue = object('RemovedQueue', {
  jobs: required(integer(0), 'How many jobs were removed'),
  schedulers: required(integer(0), 'How many job schedulers were removed'),
  worker: required(boolean, 'Whether a worker was removed'),
} as const satisfies Record<keyof RemovedQueue, Field>);

export const queueRemovalAnswer = object('QueueRemoval', {
  removed: required(removedQueue, 'All that was removed with the queue'),
});

export const secretAnswer = object('Secret', {
  secret: required(
    string,
    'The secret that verifies the signatures of calls; it is shown only this once',
  ),
});

export const workersAnswer = mapOf(string, string, 'be an object of queue names to URLs');

const milliseconds = nullable(integer(0));

const latency = object('Latency', {
  p50: required(milliseconds, 'Half of the calls took no longer'),
  p95: required(milliseconds, '95 of 100 calls took no longer'),
  p99: required(milliseconds, '99 of 100 calls took no longer'),
} as const satisfies Record<keyof WorkerHealth['latencyMs'], Field>);

export const workerHealthFields = {
  state: required(oneOf(...WORKER_STATES), 'The reason why it is not called, if there is one'),
  since: required(
    nullable(time),
    'When that began, in milliseconds since 1970; null while it is healthy',
  ),
  until: required(
    nullable(time),
    'When that ends by itself, in milliseconds since 1970; null when that is unknown',
  ),
  reason: required(nullable(string), 'The reason; null without one'),
  calls: required(integer(0), 'How many recent calls there were'),
  failures: required(integer(0), 'How many of them failed'),
  lastStatus: required(
    nullable(integer(100)),
    'The status of the last answer; null when there was none',
  ),
  lastError: required(nullable(string), 'Why the last of the failed calls failed; null without'),
  latencyMs: required(latency, 'How long the calls took, in milliseconds; null without a call'),
} as const satisfies Record<keyof WorkerHealth, Field>;

export const workerHealthAnswer = object('WorkerHealth', workerHealthFields);

export const livenessAnswer = object('Liveness', {
  status: required(oneOf('up'), 'The process answers'),
});

export const readinessAnswer = object('Readiness', {
  status: required(oneOf('ready', 'unavailable'), 'Whether the replica does its work'),
  reason: optional(string, 'Why it does not'),
});

export const ticketAnswer = object('Ticket', {
  ticket: required(string, 'Good once, as `?ticket=` of the paths of events'),
  expires: required(integer(0), 'Until when it is valid, in epoch ms'),
});
