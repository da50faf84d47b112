import type { AddIdentity } from '../../domain/jobs/add-identity.ts';
import type { AddedJob, JobInput } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { TraceContext } from '../ports/tracing-port.ts';
import type { JobWaitOutcome, JobWaits } from './job-waits.ts';
import type { Jobs } from './jobs.ts';

/** How to identify an add, and how long to wait for the end of its job. */
export interface AwaitedAddRequest {
  readonly identity: AddIdentity | undefined;
  /** The trace of the request, if it has one. */
  readonly context?: TraceContext | undefined;
  /** How long (ms) to wait for the end of the job. */
  readonly wait: number;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

/** An added job, and whether it is known to have ended. */
export interface AwaitedAdd {
  /** The job as it ended or, if that is unknown, as it was added. */
  readonly job: AddedJob;
  readonly hasEnded: boolean;
  /** Whether the add was a repeat that added nothing. */
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
   * Adds the job and waits until it ends, or until the existing job in its place does.
   *
   * @throws DomainError like the adds of `Jobs`. It does not throw when the store goes away after the job was added.
   */
  async add(
    queue: QueueName,
    input: JobInput,
    { identity, context, wait: time, signal }: AwaitedAddRequest,
  ): Promise<AwaitedAdd> {
    const until = this.#clock.now() + time;
    const wait = await this.#waits.begin(queue);
    try {
      const { jobs, isRepeated } =
        identity === undefined
          ? { jobs: await this.#jobs.add(queue, [input], context), isRepeated: false }
          : await this.#jobs.addOnce(queue, [input], identity, context);
      const added = jobs[0] as AddedJob;
      const ended = endedJob(added, await wait.outcome(added.id, { until, signal }));
      return { job: ended ?? added, hasEnded: ended !== undefined, isRepeated };
    } finally {
      wait.end();
    }
  }
}

/** The ended job; if it was not kept, the added one with its reported ending. Undefined when the ending is unknown. */
function endedJob(added: AddedJob, outcome: JobWaitOutcome): AddedJob | undefined {
  switch (outcome.kind) {
    case 'ended':
      return { ...outcome.job, ...standingOf(added) };
    case 'reported': {
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

/** Whether, and in which way, the add found an existing job in place of the requested one. */
function standingOf({ existed, deduplicated }: AddedJob): Partial<AddedJob> {
  return { ...(existed && { existed }), ...(deduplicated && { deduplicated }) };
}
