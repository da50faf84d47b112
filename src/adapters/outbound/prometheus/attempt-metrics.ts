import type {
  AttemptObserver,
  EndedAttempt,
  ReportedEnding,
} from '../../../application/ports/attempt-observer.ts';
import type { Attempt } from '../../../domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../../domain/attempts/ending.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import { unusableOption } from '../../../domain/jobs/usable-job.ts';
import type { CallOutcome, JobEvent } from './queue-account.ts';
import type { QueueAccounts } from './queue-accounts.ts';

const EVENTS: Readonly<Record<AttemptEnding['kind'], JobEvent>> = {
  completed: 'completed',
  failed: 'failed',
  retry: 'retried',
  deferred: 'deferred',
};

/** Counts what becomes of attempts, and measures calls and what comes before the first. */
export class AttemptMetrics implements AttemptObserver {
  readonly #accounts: QueueAccounts;

  constructor(accounts: QueueAccounts) {
    this.#accounts = accounts;
  }

  started(queue: QueueName, { job }: Attempt): void {
    const account = this.#accounts.of(queue);
    account.activity += 1;
    if (job.attemptsStarted !== 1 || job.processedOn === undefined) return;
    const waited = job.processedOn - job.timestamp - job.opts.delay;
    // Replicas have clocks of their own, and what others stored may hold no times at all.
    account.observeWait(waited > 0 ? waited / 1000 : 0);
  }

  ended({ attempt, worker, result, duration }: EndedAttempt): void {
    const account = this.#accounts.of(worker.queue);
    const { kind } = result.ending;
    account.count(EVENTS[kind]);
    const outcome: CallOutcome = kind === 'completed' || kind === 'deferred' ? kind : 'failed';
    if (outcome !== 'failed' || wasCalled(attempt)) {
      account.observeCall(outcome, duration / 1000);
    }
  }

  accepted(queue: QueueName, _attempt: Attempt, duration: number): void {
    this.#accounts.of(queue).observeCall('completed', duration / 1000);
  }

  reported({ queue, ending }: ReportedEnding): void {
    this.#accounts.of(queue).count(EVENTS[ending.kind]);
  }

  /** The cancellation has counted the job. */
  cancelled(queue: QueueName, _attempt: Attempt, duration: number): void {
    this.#accounts.of(queue).observeCall('cancelled', duration / 1000);
  }

  lost(): void {
    // The attempt that holds the job now counts how it ends.
  }

  stalled(queue: QueueName): void {
    this.#accounts.of(queue).count('stalled');
  }

  left(): void {
    // Counters stay.
  }
}

/** Some jobs fail without a call. */
function wasCalled({ job, mustFail = unusableOption(job) }: Attempt): boolean {
  return mustFail === undefined;
}
