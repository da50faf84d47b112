import { Packr } from 'msgpackr';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { JobCancellation } from '../../../../application/ports/job-control-port.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { takingKeys } from '../attempts/taking-keys.ts';
import { libraryScripts } from '../attempts/library-scripts.ts';
import type { NextJobs } from '../schedulers/next-jobs.ts';
import type { Script } from '../connection/scripts.ts';
import { jobFromRecord, jobRecord } from '../layout/job-record.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { cancelScript } from './cancel-script.ts';
import type { GuardedRuns } from './guarded-runs.ts';

/** The next job of a scheduler, to be cancelled once the one after it is planned. */
type NextOfScheduler = readonly [scheduler: string, fields: readonly string[]];

/** Fails jobs by the script that fails attempts. */
export class JobCancelling {
  readonly #runs: GuardedRuns;
  readonly #nextJobs: NextJobs;
  readonly #clock: ClockPort;
  readonly #script: Script = cancelScript(libraryScripts().finish);
  readonly #packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });

  /** @throws Error when the installed BullMQ is not the version that the patches are for. */
  constructor(runs: GuardedRuns, nextJobs: NextJobs, clock: ClockPort) {
    this.#runs = runs;
    this.#nextJobs = nextJobs;
    this.#clock = clock;
  }

  /** @returns the state that does not allow it, nothing when there is no such job, else a number. */
  async cancel(
    keys: QueueKeys,
    jobId: string,
    cancellation: JobCancellation,
    allowed: readonly JobState[],
  ): Promise<unknown> {
    const answer = await this.#run(keys, jobId, cancellation, allowed, false);
    if (!Array.isArray(answer)) return answer;
    // As a claim of such a job does: otherwise its scheduler would end with it.
    const [scheduler, fields] = answer as unknown as NextOfScheduler;
    const job = jobFromRecord(jobId, jobRecord(fields), keys.queue);
    await this.#nextJobs.plan(keys.queue, scheduler, job);
    return this.#run(keys, jobId, cancellation, allowed, true);
  }

  #run(
    keys: QueueKeys,
    jobId: string,
    { reason, keep }: JobCancellation,
    allowed: readonly JobState[],
    isNextPlanned: boolean,
  ): Promise<unknown> {
    const [claimsNext, noFields, noCall, noVerdict] = [0, '', '', ''];
    const options = {
      token: '0',
      keepJobs: keep ?? { count: -1 },
      attempts: Number.MAX_SAFE_INTEGER,
      maxMetricsSize: '',
    };
    return this.#runs.run(keys, {
      script: this.#script,
      jobId,
      allowed,
      keys: [
        ...takingKeys(keys),
        keys.failed,
        keys.jobPrefix + jobId,
        `${keys.jobPrefix}metrics:failed`,
        keys.marker,
        keys.waitingChildren,
        keys.repeat,
      ],
      args: [
        jobId,
        this.#clock.now(),
        'failedReason',
        reason,
        'failed',
        claimsNext,
        keys.jobPrefix,
        // The packer reuses its buffer, and the command may be written later.
        Buffer.from(this.#packr.pack(options)),
        noFields,
        noCall,
        noVerdict,
        isNextPlanned ? 1 : 0,
      ],
    });
  }
}
