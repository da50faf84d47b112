import type { JobCancellation } from '../../../../application/ports/job-control-port.ts';
import {
  statesFor,
  statesWithin,
  type ActionOutcome,
} from '../../../../domain/jobs/job-actions.ts';
import { actionsOf, type JobChange } from '../../../../domain/jobs/job-change.ts';
import { waitsAgain } from '../../../../domain/flows/family.ts';
import type { JobRetry } from '../../../../domain/jobs/job-retry.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import { endAttempt, recordFailure, recordTaken } from './attempts.ts';
import type { CallsOfSeveral } from './calls-of-several.ts';
import { isStored, type ListedJob } from './listed-job.ts';
import type { QueueJobs } from './queue-jobs.ts';
import type { QueueSchedulers } from './queue-schedulers.ts';
import { finish } from './retention.ts';
import { changeOptions, type StoredJob } from './stored-job.ts';

/** The operations on single jobs of one queue. */
export class QueueJobControl {
  readonly #jobs: QueueJobs;
  readonly #schedulers: QueueSchedulers;
  readonly #calls: CallsOfSeveral;
  readonly #startedOver: (job: StoredJob) => void;
  readonly #cancelled: (job: StoredJob, now: number) => void;

  /**
   * @param startedOver receives each job that had ended and is retried.
   * @param cancelled receives each active job that is about to be cancelled.
   */
  constructor(
    jobs: QueueJobs,
    schedulers: QueueSchedulers,
    calls: CallsOfSeveral,
    startedOver: (job: StoredJob) => void,
    cancelled: (job: StoredJob, now: number) => void,
  ) {
    this.#jobs = jobs;
    this.#schedulers = schedulers;
    this.#calls = calls;
    this.#startedOver = startedOver;
    this.#cancelled = cancelled;
  }

  remove(jobId: string, now: number, within?: readonly JobState[]): ActionOutcome {
    const next = this.#jobs.find(jobId);
    if (next !== undefined && this.#schedulers.isNext(next)) {
      return { kind: 'needed', by: 'scheduler' };
    }
    return this.#actOn(next, statesWithin('remove', within), (job) => {
      this.#jobs.remove(job, now);
      this.#jobs.events.record('removed', job.id, undefined, job.group?.id);
    });
  }

  promote(jobId: string): ActionOutcome {
    return this.#act(statesFor('promote'), jobId, (job) => {
      this.#jobs.moveBehind(job);
    });
  }

  /** To be called while all of the job is in memory. */
  retry(jobId: string, { opts, data }: JobRetry, within?: readonly JobState[]): ActionOutcome {
    return this.#act(statesWithin('retry', within), jobId, (job) => {
      if (data !== undefined) job.data = jsonText(data);
      if (opts !== undefined) changeOptions(job, opts);
      if (data !== undefined || opts !== undefined) this.#jobs.payloadChanged(job);
      if (job.status === 'failed') delete job.failedReason;
      else job.returnvalue = 'null';
      delete job.processedOn;
      delete job.finishedOn;
      delete job.mustFail;
      job.attemptsMade = 0;
      job.deferrals = 0;
      job.half = undefined;
      if (waitsAgain(job.children?.known ?? [])) this.#jobs.waitForChildren(job);
      else this.#jobs.enqueue(job);
      this.#startedOver(job);
    });
  }

  cancel(
    jobId: string,
    { reason, keep }: JobCancellation,
    now: number,
    within?: readonly JobState[],
  ): ActionOutcome {
    return this.#act(statesWithin('cancel', within), jobId, (job) => {
      this.#schedulers.goOn(job, now);
      if (job.status === 'active') {
        this.#cancelled(job, now);
        recordTaken(job, { outcome: 'cancelled', reason }, this.#calls, now);
        recordFailure(job, reason);
        endAttempt(job);
      }
      job.failedReason = reason;
      job.delay = 0;
      this.#jobs.events.record('cancelled', job.id, reason);
      finish(this.#jobs, job, 'failed', keep, now);
    });
  }

  change(jobId: string, change: JobChange, now: number): ActionOutcome {
    const { data, priority, delay } = change;
    return this.#act(statesFor(...actionsOf(change)), jobId, (job) => {
      if (data !== undefined) {
        job.data = jsonText(data);
        this.#jobs.payloadChanged(job);
      }
      if (priority !== undefined) {
        job.priority = priority;
        this.#jobs.moveBehind(job);
      }
      if (delay !== undefined) this.#jobs.defer(job, delay, now);
    });
  }

  #act(allowed: readonly JobState[], jobId: string, act: (job: StoredJob) => void): ActionOutcome {
    return this.#actOn(this.#jobs.find(jobId), allowed, (job) => {
      if (!isStored(job)) throw new Error('A part of the job is not in memory');
      act(job);
    });
  }

  #actOn(
    job: ListedJob | undefined,
    allowed: readonly JobState[],
    act: (job: ListedJob) => void,
  ): ActionOutcome {
    if (job?.status === undefined) return { kind: 'missing' };
    if (!allowed.includes(job.status)) return { kind: 'refused', state: job.status };
    act(job);
    return { kind: 'done' };
  }
}
