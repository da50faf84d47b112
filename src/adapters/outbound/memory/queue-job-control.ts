import { isAllowed, type ActionOutcome, type JobAction } from '../../../domain/job-actions.ts';
import type { QueueJobs } from './queue-jobs.ts';
import type { StoredJob } from './stored-job.ts';

/** What operators do to the jobs of one queue. */
export class QueueJobControl {
  readonly #jobs: QueueJobs;

  constructor(jobs: QueueJobs) {
    this.#jobs = jobs;
  }

  remove(jobId: string): ActionOutcome {
    return this.#act('remove', jobId, (job) => {
      this.#jobs.remove(job);
    });
  }

  promote(jobId: string): ActionOutcome {
    return this.#act('promote', jobId, (job) => {
      this.#jobs.promote(job);
    });
  }

  #act(action: JobAction, jobId: string, act: (job: StoredJob) => void): ActionOutcome {
    const job = this.#jobs.find(jobId);
    if (job?.status === undefined) return { kind: 'missing' };
    if (!isAllowed(action, job.status)) return { kind: 'refused', state: job.status };
    act(job);
    return { kind: 'done' };
  }
}
