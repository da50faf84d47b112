/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type {
  Attempt,
  AttemptEnding,
  Claim,
  ClaimRequest,
  JobConsumerPort,
  Settled,
  StalledCheckRequest,
  StalledCheckResult,
} from '../../../application/ports/job-consumer-port.ts';
import type { MemoryQueue } from './memory-queue.ts';
import type { MemoryQueues } from './memory-queues.ts';

const ANY_JOB: ClaimRequest = { concurrency: Infinity, lockDuration: 0 };

/** Processes the jobs of queues in the memory of this process. */
export class MemoryJobConsumer implements JobConsumerPort {
  readonly #queues: MemoryQueues;
  readonly #clock: ClockPort;
  /** What this consumer asked of each queue last. It waits for that to be granted. */
  readonly #requests = new Map<string, ClaimRequest>();

  constructor(queues: MemoryQueues, clock: ClockPort) {
    this.#queues = queues;
    this.#clock = clock;
  }

  async claim(queue: string, request: ClaimRequest): Promise<Claim> {
    this.#requests.set(queue, request);
    return this.#queues.open(queue).claim(request);
  }

  async settle(
    queue: string,
    attempt: Attempt,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled> {
    if (next !== undefined) this.#requests.set(queue, next);
    return this.#queues.open(queue).settle(attempt, ending, next);
  }

  async release(queue: string, attempt: Attempt): Promise<void> {
    this.#queues.open(queue).release(attempt);
  }

  async extendLocks(
    queue: string,
    attempts: readonly Attempt[],
    duration: number,
  ): Promise<readonly Attempt[]> {
    return this.#queues.open(queue).extendLocks(attempts, duration);
  }

  async recoverStalled(queue: string, request: StalledCheckRequest): Promise<StalledCheckResult> {
    return this.#queues.open(queue).recoverStalled(request);
  }

  async waitForJobs(queue: string, until: number, signal: AbortSignal): Promise<void> {
    const state = this.#queues.open(queue);
    const request = this.#requests.get(queue) ?? ANY_JOB;
    while (!signal.aborted) {
      const wait = Math.min(until, state.nextChance(request)) - this.#clock.now();
      if (wait <= 0) return;
      await this.#sleepUntilChange(state, wait, signal);
    }
  }

  async #sleepUntilChange(queue: MemoryQueue, ms: number, signal: AbortSignal): Promise<void> {
    const nap = new AbortController();
    const wake = (): void => {
      nap.abort();
    };
    const unsubscribe = queue.onChange(wake);
    signal.addEventListener('abort', wake);
    await this.#clock.sleep(ms, nap.signal);
    signal.removeEventListener('abort', wake);
    unsubscribe();
  }
}
