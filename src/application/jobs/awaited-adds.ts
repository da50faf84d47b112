import type { AddIdentity } from '../../domain/add-identity.ts';
import type { AddedJob, JobInput } from '../../domain/job.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { JobWaitOutcome, JobWaits } from './job-waits.ts';
import type { Jobs } from './jobs.ts';

/** What is asked of an add that is waited for. */
export interface AwaitedAddRequest {
  readonly identity: AddIdentity | undefined;
  /** Most milliseconds to wait for the end of the job. */
  readonly wait: number;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

/** A job that was added, and what is known of its end. */
export interface AwaitedAdd {
  /** As it ended, or as it was added. */
  readonly job: AddedJob;
  readonly hasEnded: boolean;
  /** Whether the add was a repeat that added none. */
  readonly isRepeated: boolean;
}

/** Adds jobs and waits for their ends. */
export class AwaitedAdds {
  readonly #jobs: Jobs;
  readonly #waits: JobWaits;
  readonly #clock: ClockPort;

  constructor(jobs: Jobs, waits: JobWaits, clock: ClockPort) {
    this.#jobs = jobs;
    this.#waits = waits;
    this.#clock = clock;
  }

  /**
   * Adds the job, and waits for the end of it, or of the one that exists in its place.
   *
   * @throws DomainError as the adds of `Jobs`. A store that is away once the job is added is no error.
   */
  async add(
    queue: QueueName,
    input: JobInput,
    { identity, wait: time, signal }: AwaitedAddRequest,
  ): Promise<AwaitedAdd> {
    const until = this.#clock.now() + time;
    const wait = await this.#waits.begin(queue);
    try {
      const { jobs, isRepeated } =
        identity === undefined
          ? { jobs: await this.#jobs.add(queue, [input]), isRepeated: false }
          : await this.#jobs.addOnce(queue, [input], identity);
      const added = jobs[0] as AddedJob;
      const ended = endedJob(added, await wait.outcome(added.id, { until, signal }));
      return { job: ended ?? added, hasEnded: ended !== undefined, isRepeated };
    } finally {
      wait.end();
    }
  }
}

/** The job as it ended: of one that is not kept, what was told of its end. Undefined when that is not known. */
function endedJob(added: AddedJob, outcome: JobWaitOutcome): AddedJob | undefined {
  switch (outcome.kind) {
    case 'ended':
      return added.deduplicated === true ? { ...outcome.job, deduplicated: true } : outcome.job;
    case 'told': {
      const { ending } = outcome;
      return ending.state === 'completed'
        ? { ...added, returnvalue: ending.returnvalue }
        : { ...added, failedReason: ending.failedReason };
    }
    case 'unended':
    case 'gone':
      return undefined;
  }
}
