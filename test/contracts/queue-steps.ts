import { queueNamed } from '../support/queue-named.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Attempt } from '../../src/domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../src/domain/attempts/ending.ts';
import type { ClaimRequest } from '../../src/domain/attempts/claim.ts';
import type { AttemptEnginePort } from '../../src/application/ports/attempt-engine-port.ts';
import type { QueueDirectoryPort } from '../../src/application/ports/queue-directory-port.ts';
import type {
  JobsQuery,
  JobsSlice,
  QueuePort,
  RepeatableJobs,
} from '../../src/application/ports/queue-port.ts';
import type { EventId } from '../../src/domain/events/event-id.ts';
import { positionOf, type EventOrGap } from '../../src/domain/events/queue-event.ts';
import type { JobOptionsInput } from '../../src/domain/jobs/job-options.ts';
import { JOB_STATUSES, type JobStatus } from '../../src/domain/jobs/job-status.ts';
import {
  newJob,
  type AddedJob,
  type Job,
  type JobFacts,
  type NewJob,
} from '../../src/domain/jobs/job.ts';
import type { Json } from '../../src/domain/values/json.ts';
import type { StoredScheduler } from '../../src/domain/schedulers/scheduler.ts';
import { RandomTokens } from '../../src/infrastructure/random-tokens.ts';
import { collected } from '../support/collected.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';

const tokens = new RandomTokens();

/** A claim without the token that each claim has of its own. */
export type ClaimTerms = Omit<ClaimRequest, 'token'>;

export function claimOf(terms: ClaimTerms): ClaimRequest {
  return { ...terms, token: tokens.draw() };
}

/** The id of an event, also of one in whose place a gap stands. */
export function idOf(event: EventOrGap): EventId {
  return positionOf(event).id;
}

/** Nothing in the suites takes this long, so it means "not during this test". */
export const HOUR = 3_600_000;

/** A claim that no limit refuses and whose lock outlasts the test. */
export const ANY: ClaimTerms = { concurrency: 1000, lockDuration: HOUR };

/** A claim whose lock is gone after `advance(SOON)`. */
export const SHORTLY: ClaimTerms = { concurrency: 1000, lockDuration: 20 };
export const SOON = 40;

/** How far apart stalled checks must be to count, in milliseconds, in the stores of the suites. */
export const STALLED_GRACE = 10;

/** The store may keep what earlier runs left, so every test has a queue of its own. */
export function uniqueQueue(suffix = ''): QueueName {
  return queueNamed(`test-${randomUUID()}${suffix}`);
}

export function jobOf(opts: JobOptionsInput = {}, data: Json = null): NewJob {
  return newJob({ name: 'work', data, opts }, 'job');
}

/** Jobs for an add that may be repeated, without defaults of any policy. */
export function repeatable(jobs: readonly NewJob[]): RepeatableJobs {
  return { jobs, defaults: {} };
}

export async function addOne(
  queues: QueuePort,
  queue: QueueName,
  opts: JobOptionsInput = {},
  data: Json = null,
): Promise<JobFacts> {
  const [job] = await queues.add(queue, [jobOf(opts, data)]);
  if (job === undefined) throw new Error('The answer has no job');
  return whole(job);
}

/** A job wherever it is. */
export function factsOf(job: object | undefined): object {
  return Object.fromEntries(Object.entries(job ?? {}).filter(([name]) => name !== 'state'));
}

/** An added job of which the answer had to contain more than its id. */
export function whole(job: AddedJob): JobFacts {
  if (job.name === undefined) throw new Error(`The answer has no more than the id ${job.id}`);
  return job as JobFacts;
}

/** Adds one job after the other and returns their ids. */
export async function addEach(
  queues: QueuePort,
  queue: QueueName,
  ...options: readonly JobOptionsInput[]
): Promise<string[]> {
  const ids: string[] = [];
  for (const opts of options) ids.push((await addOne(queues, queue, opts)).id);
  return ids;
}

/** The ids in the order given by the positions, for orders that differ from that of adding. */
export function pick(ids: readonly string[], ...positions: readonly number[]): string[] {
  return positions.map((position) => ids[position] ?? 'no such position');
}

/** Makes the checks that find the jobs without a lock. */
export async function findStalled(
  { attempts, advance }: QueueHarness,
  queue: QueueName,
): Promise<readonly string[]> {
  await attempts.recoverStalled(queue, 10);
  await advance(2 * STALLED_GRACE);
  return (await attempts.recoverStalled(queue, 10)).stalled;
}

/** Claims and fails the test unless there is a job. */
export async function take(
  attempts: AttemptEnginePort,
  queue: QueueName,
  terms = ANY,
): Promise<Attempt> {
  const claim = await attempts.claim(queue, claimOf(terms));
  if (claim.kind !== 'attempt') throw new Error(`No job to take: ${JSON.stringify(claim)}`);
  return claim.attempt;
}

export async function takeAll(
  attempts: AttemptEnginePort,
  queue: QueueName,
  terms = ANY,
): Promise<Attempt[]> {
  const taken: Attempt[] = [];
  for (;;) {
    const claim = await attempts.claim(queue, claimOf(terms));
    if (claim.kind !== 'attempt') return taken;
    taken.push(claim.attempt);
  }
}

/** The ids of the jobs that may be processed now, in the order they come. */
export async function takenIds(attempts: AttemptEnginePort, queue: QueueName): Promise<string[]> {
  return (await takeAll(attempts, queue)).map(({ job }) => job.id);
}

export const COMPLETED = { kind: 'completed', returnvalue: null } as const;
export const FAILED = { kind: 'failed', reason: 'it broke' } as const;

export function retryAfter(delay: number, reason = 'try again'): AttemptEnding {
  return { kind: 'retry', reason, delay };
}

/** Takes the next job and ends it at once. */
export async function process(
  attempts: AttemptEnginePort,
  queue: QueueName,
  ending: AttemptEnding,
): Promise<string> {
  const attempt = await take(attempts, queue);
  expect(await attempts.settle(queue, attempt, ending)).to.deep.equal({ held: true });
  return attempt.job.id;
}

/** Takes so many jobs at once and ends them at once, in few rounds of a store that has some. @returns their ids, in the order of the calls. */
export async function processMany(
  attempts: AttemptEnginePort,
  queue: QueueName,
  ending: AttemptEnding,
  count: number,
  terms = ANY,
): Promise<string[]> {
  const taken = await Promise.all(
    Array.from({ length: count }, () => take(attempts, queue, terms)),
  );
  await Promise.all(taken.map((attempt) => attempts.settle(queue, attempt, ending)));
  return taken.map(({ job }) => job.id);
}

export async function read(queues: QueuePort, queue: QueueName, id: string): Promise<Job> {
  const job = await queues.find(queue, id);
  if (job === undefined) throw new Error(`Job ${id} is gone`);
  return job;
}

export interface Page {
  readonly counts: JobsSlice['counts'];
  readonly jobs: readonly Job[];
}

/** A slice, all of it. */
export async function listPage(
  queues: QueuePort,
  queue: QueueName,
  query: JobsQuery,
): Promise<Page> {
  const { counts, jobs } = await queues.list(queue, query);
  return { counts, jobs: await collected(jobs) };
}

export interface Lines {
  readonly count: number;
  readonly logs: readonly string[];
}

/** The lines asked for, all of them; undefined when there is no such job. */
export async function logsOf(
  queues: QueuePort,
  queue: QueueName,
  id: string,
  start = 0,
  length = 10,
): Promise<Lines | undefined> {
  const found = await queues.logs(queue, id, start, length);
  return found && { count: found.count, logs: await collected(found.logs) };
}

/** The schedulers of a queue, of which there are few. */
export function schedulersIn(
  { schedulers }: Pick<QueueReplica, 'schedulers'>,
  queue: QueueName,
): Promise<StoredScheduler[]> {
  return collected(schedulers.list(queue, { start: 0, length: 100 }));
}

/** The ids of the jobs of one status, as listed. */
export async function listed(
  queues: QueuePort,
  queue: QueueName,
  ...statuses: readonly JobStatus[]
): Promise<string[]> {
  const { jobs } = await listPage(queues, queue, { statuses, start: 0, length: 1000 });
  return jobs.map(({ id }) => id);
}

export async function statusOf(queues: QueuePort, queue: QueueName, id: string): Promise<string[]> {
  const found: string[] = [];
  for (const status of JOB_STATUSES) {
    if ((await listed(queues, queue, status)).includes(id)) found.push(status);
  }
  return found;
}

export async function countsOf(
  queues: QueuePort,
  queue: QueueName,
): Promise<Record<string, number>> {
  return (await queues.list(queue, { statuses: [], start: 0, length: 0 })).counts;
}

/** Whether a queue is paused, undefined where there is no queue. */
export async function pausedIn(
  directory: QueueDirectoryPort,
  queue: QueueName,
): Promise<boolean | undefined> {
  const [glance] = await directory.glances([queue]);
  return glance?.isPaused;
}

export const NO_JOBS = {
  active: 0,
  waiting: 0,
  prioritized: 0,
  delayed: 0,
  completed: 0,
  failed: 0,
  'waiting-children': 0,
};
