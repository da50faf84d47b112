import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type {
  AddedOnce,
  JobAttempts,
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueuePort,
  QueueSummary,
  RepeatableJobs,
} from '../../../application/ports/queue-port.ts';
import type { AddIdentity } from '../../../domain/jobs/add-identity.ts';
import type { AddedJob, Job, NewJob } from '../../../domain/jobs/job.ts';
import type { QueueAccounts } from './queue-accounts.ts';
import type { StoreTimer } from './store-timer.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

/** Queues as the store has them, with the time that each call takes and the number of the jobs added. */
export class MeasuredQueues implements QueuePort {
  readonly #queues: QueuePort;
  readonly #accounts: QueueAccounts;
  readonly #timer: StoreTimer;
  readonly #clock: ClockPort;

  constructor(queues: QueuePort, accounts: QueueAccounts, timer: StoreTimer, clock: ClockPort) {
    this.#queues = queues;
    this.#accounts = accounts;
    this.#timer = timer;
    this.#clock = clock;
  }

  add(
    queue: QueueName,
    jobs: readonly NewJob[],
    maxWaiting?: number,
  ): Promise<readonly AddedJob[]> {
    const calledAt = this.#clock.now();
    const count = (added: readonly AddedJob[]): readonly AddedJob[] => {
      this.#accounts.of(queue).count('added', countNew(jobs, added, calledAt));
      return added;
    };
    return this.#timer.time(this.#queues.add(queue, jobs, maxWaiting).then(count));
  }

  addOnce(queue: QueueName, add: RepeatableJobs, identity: AddIdentity): Promise<AddedOnce> {
    const calledAt = this.#clock.now();
    const count = (outcome: AddedOnce): AddedOnce => {
      if (outcome.kind === 'added') {
        this.#accounts.of(queue).count('added', countNew(add.jobs, outcome.jobs, calledAt));
      }
      return outcome;
    };
    return this.#timer.time(this.#queues.addOnce(queue, add, identity).then(count));
  }

  recall(
    queue: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
  ): Promise<AddedOnce | undefined> {
    return this.#timer.time(this.#queues.recall(queue, add, identity));
  }

  list(queue: QueueName, query: JobsQuery): Promise<JobsSlice> {
    return this.#timer.time(this.#queues.list(queue, query));
  }

  summary(queue: QueueName): Promise<QueueSummary> {
    return this.#timer.time(this.#queues.summary(queue));
  }

  find(queue: QueueName, jobId: string): Promise<Job | undefined> {
    return this.#timer.time(this.#queues.find(queue, jobId));
  }

  /** Its pieces are read as they are wanted, which says nothing of the store. */
  findEach(queue: QueueName, jobIds: readonly string[]): AsyncIterable<readonly Job[]> {
    return this.#queues.findEach(queue, jobIds);
  }

  attempts(queue: QueueName, jobId: string): Promise<JobAttempts | undefined> {
    return this.#timer.time(this.#queues.attempts(queue, jobId));
  }

  logs(
    queue: QueueName,
    jobId: string,
    start: number,
    length: number,
  ): Promise<JobLogs | undefined> {
    return this.#timer.time(this.#queues.logs(queue, jobId, start, length));
  }
}

/**
 * How many of the jobs were not there before. An id that a client chose may be that of a job that exists, which
 * is then older than the call, or of an earlier one of the same call.
 */
function countNew(jobs: readonly NewJob[], added: readonly AddedJob[], calledAt: number): number {
  let count = 0;
  let chosen: Set<string> | undefined;
  jobs.forEach(({ opts }, index) => {
    if (added[index]?.deduplicated === true) return;
    if (opts.jobId === undefined) {
      count += 1;
      return;
    }
    const { timestamp = -Infinity } = added[index] ?? {};
    if (timestamp >= calledAt) (chosen ??= new Set()).add(opts.jobId);
  });
  return count + (chosen?.size ?? 0);
}
