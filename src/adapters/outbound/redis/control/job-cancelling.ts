import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { HooksOfQueues } from '../../../../application/ports/hooks-of-queues.ts';
import type { JobCancellation } from '../../../../application/ports/job-control-port.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { jobRecord } from '../layout/job-record.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { hooksArgument } from '../layout/hooks-argument.ts';
import { cancelJob } from '../scripts/attempts.ts';
import type { NextJobs } from '../schedulers/next-jobs.ts';
import type { GuardedRuns } from './guarded-runs.ts';

/** The next job of a scheduler, to be cancelled once the one after it is planned. */
type NextOfScheduler = readonly [scheduler: string, fields: readonly string[]];

/** Fails jobs. */
export class JobCancelling {
  readonly #runs: GuardedRuns;
  readonly #nextJobs: NextJobs;
  readonly #clock: ClockPort;
  readonly #hooks: HooksOfQueues;

  constructor(runs: GuardedRuns, nextJobs: NextJobs, clock: ClockPort, hooks: HooksOfQueues) {
    this.#hooks = hooks;
    this.#runs = runs;
    this.#nextJobs = nextJobs;
    this.#clock = clock;
  }

  /** @returns the state that does not allow it, nothing when there is no such job, or else a number. */
  async cancel(
    keys: QueueKeys,
    jobId: string,
    cancellation: JobCancellation,
    allowed: readonly JobState[],
  ): Promise<unknown> {
    const answer = await this.#run(keys, jobId, cancellation, allowed, false);
    if (!Array.isArray(answer)) return answer;
    // Plans the job after it, as a claim does: otherwise its scheduler would end with it.
    const [scheduler, fields] = answer as unknown as NextOfScheduler;
    await this.#nextJobs.plan(keys.queue, scheduler, jobId, jobRecord(fields));
    return this.#run(keys, jobId, cancellation, allowed, true);
  }

  #run(
    keys: QueueKeys,
    jobId: string,
    { reason, keep = { count: -1 } }: JobCancellation,
    allowed: readonly JobState[],
    isNextPlanned: boolean,
  ): Promise<unknown> {
    return this.#runs.run(keys, cancelJob, jobId, allowed, {
      now: this.#clock.now(),
      reason,
      kept: JSON.stringify(keep),
      isNextPlanned,
      hooks: hooksArgument(this.#hooks.of(keys.queue)),
    });
  }
}
