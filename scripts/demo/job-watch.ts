import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../src/domain/jobs/job.ts';
import type { RestClient } from './rest-client.ts';
import type { Screen } from './screen.ts';

/** Pause between two looks at the queue, in milliseconds. */
const PAUSE = 20;

/** Prints how the jobs of a queue change, by reading them over and over. */
export class JobWatch {
  readonly #jobgate: RestClient;
  readonly #path: string;
  readonly #screen: Screen;
  readonly #seen = new Map<string, Job>();

  constructor(jobgate: RestClient, queue: string, screen: Screen) {
    this.#jobgate = jobgate;
    this.#path = `/queues/${queue}/jobs?length=100`;
    this.#screen = screen;
  }

  /** The id that the next job of the queue gets. */
  get nextId(): number {
    return Math.max(0, ...[...this.#seen.keys()].map(Number)) + 1;
  }

  /** Prints nothing of what has happened before. */
  async skip(): Promise<void> {
    for (const job of await this.#jobs()) this.#seen.set(job.id, job);
  }

  /** Watches until the signal aborts, or, on request, until all jobs have finished. */
  async run(signal: AbortSignal, until?: 'all finished'): Promise<void> {
    while (!signal.aborted) {
      const jobs = await this.#jobs();
      for (const job of jobs) this.#print(job);
      if (until === 'all finished' && jobs.every(isFinished)) return;
      await sleep(PAUSE);
    }
  }

  async #jobs(): Promise<readonly Job[]> {
    return ((await this.#jobgate.call('GET', this.#path)) as { readonly jobs: readonly Job[] })
      .jobs;
  }

  #print(job: Job): void {
    const before = this.#seen.get(job.id);
    this.#seen.set(job.id, job);
    const isNew = (field: 'attemptsMade' | 'finishedOn'): boolean => job[field] !== before?.[field];
    if (isFinished(job)) {
      if (isNew('finishedOn')) this.#tellEnd(job);
    } else if (job.attemptsMade > 0 && isNew('attemptsMade')) {
      const { attemptsMade, opts, failedReason } = job;
      const left = `attempt ${attemptsMade + 1} of ${opts.attempts} in ${job.delay / 1000} s`;
      this.#say(job, `failed, ${left}: ${failedReason ?? ''}`, 'yellow');
    }
  }

  #tellEnd(job: Job): void {
    const { failedReason, returnvalue } = job;
    // A job that completes at a later attempt keeps the reason of the one before.
    if (returnvalue !== null) {
      this.#say(job, `completed, returnvalue ${JSON.stringify(returnvalue)}`, 'green');
    } else this.#say(job, `failed: ${failedReason ?? ''}`, 'red');
  }

  #say(job: Job, text: string, style: 'green' | 'red' | 'yellow'): void {
    this.#screen.event(job.id, 'jobgate', text, style);
  }
}

function isFinished(job: Job): boolean {
  return job.finishedOn !== undefined;
}
