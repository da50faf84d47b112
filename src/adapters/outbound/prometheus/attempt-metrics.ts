import type {
  AttemptEnded,
  AttemptEvent,
  AttemptObserver,
} from '../../../application/ports/attempt-observer.ts';
import type { Attempt } from '../../../domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../../domain/attempts/ending.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import { waitForFirst } from '../../../domain/jobs/job.ts';
import { unusableOption } from '../../../domain/jobs/usable-job.ts';
import type { CallOutcome, JobEvent } from './queue-account.ts';
import type { QueueAccounts } from './queue-accounts.ts';

const EVENTS: Readonly<Record<AttemptEnding['kind'], JobEvent | undefined>> = {
  completed: 'completed',
  failed: 'failed',
  retry: 'retried',
  deferred: 'deferred',
  suspended: undefined,
};

const OUTCOMES: Readonly<Record<AttemptEnding['kind'], CallOutcome>> = {
  completed: 'completed',
  failed: 'failed',
  retry: 'failed',
  deferred: 'deferred',
  suspended: 'completed',
};

/** Counts jobs and the outcomes of their attempts, and measures calls and the wait before the first. */
export class AttemptMetrics implements AttemptObserver {
  readonly #accounts: QueueAccounts;

  constructor(accounts: QueueAccounts) {
    this.#accounts = accounts;
  }

  /**
   * Counts the event. An attempt that lost its job is not counted, since the attempt that holds the job now counts its
   * end; the job of a cancelled call counts as failed.
   */
  observe(event: AttemptEvent): void {
    const { kind, queue } = event;
    if (kind === 'started') this.#started(queue, event.attempt);
    else if (kind === 'ended') this.#ended(event);
    else if (kind === 'accepted') {
      if (event.sharesCall === true) return;
      this.#accounts.of(queue).observeCall('completed', event.duration / 1000);
    } else if (kind === 'reported') this.#count(queue, event.ending);
    else if (kind === 'cancelled') {
      this.#accounts.of(queue).observeCall('cancelled', event.duration / 1000);
    } else if (kind === 'stalled') this.#accounts.of(queue).count('stalled');
    else if (kind === 'steps-saved') this.#accounts.of(queue).saveSteps(event.steps);
    else if (kind === 'added') this.#accounts.of(queue).count(kind, event.jobs);
    else if (kind === 'failed') this.#accounts.of(queue).count(kind, event.jobs.length);
    // Makes a queue known even if this process has found no job in it so far.
    else if (kind === 'served') this.#accounts.of(queue);
  }

  #started(queue: QueueName, { job }: Attempt): void {
    const account = this.#accounts.of(queue);
    account.activity += 1;
    const waited = waitForFirst(job);
    if (waited !== undefined) account.observeWait(waited / 1000);
  }

  #count(queue: QueueName, { kind }: AttemptEnding): void {
    const event = EVENTS[kind];
    if (event !== undefined) this.#accounts.of(queue).count(event);
  }

  #ended({ queue, attempt, result, duration, sharesCall = false }: AttemptEnded): void {
    const account = this.#accounts.of(queue);
    const { kind } = result.ending;
    this.#count(queue, result.ending);
    if (result.ending.kind === 'suspended') account.saveSteps(result.ending.request.steps.length);
    if (sharesCall) return;
    const outcome = OUTCOMES[kind];
    if (outcome !== 'failed' || wasCalled(attempt)) {
      account.observeCall(outcome, duration / 1000);
    }
  }
}

/** Some jobs fail without a call. */
function wasCalled({ job, mustFail = unusableOption(job) }: Attempt): boolean {
  return mustFail === undefined;
}
