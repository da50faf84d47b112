import { isStoreUnavailable } from '../../domain/errors.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { BatchOptions } from '../../domain/calls/batch-options.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { WebhookPort } from '../ports/webhook-port.ts';
import { anyOf, Notifier } from '../running/notifier.ts';
import type { Slots } from '../running/slot-loop.ts';
import { STORE_PAUSE } from '../running/until-store-answers.ts';
import { waitAfter, type NoJob } from '../running/wait-after.ts';
import { AttemptProcessor, type ProcessingDependencies } from './attempt-processor.ts';
import { BatchClaiming, BatchedJobs } from './batch-claiming.ts';
import { BatchProcessor } from './batch-processor.ts';
import type { ConsumerParts } from './attempt-recording.ts';
import type { CallCapacity } from './call-capacity.ts';
import type { RunningAttempts } from './running-attempts.ts';
import type { WorkerClaims } from './worker-claims.ts';

/**
 * Longest wait (ms) for a job without asking the store, limited by what a timer supports. Correctness does not depend
 * on it: the stalled check covers lost wake-ups.
 */
const LONGEST_WAIT = 3_600_000;

/** The slots in which one consumer makes its calls, within its settings and the capacity of the replica. */
export class CallSlots implements Slots<NoJob> {
  readonly #attempts: AttemptEnginePort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #capacity: CallCapacity;
  readonly #claims: WorkerClaims;
  readonly #running: RunningAttempts;
  readonly #processor: AttemptProcessor;
  readonly #batches: BatchProcessor;
  readonly #webhook: WebhookPort;
  readonly #batchedJobs = new BatchedJobs();
  readonly #freed = new Notifier();

  constructor(parts: ConsumerParts, dependencies: ProcessingDependencies) {
    this.#claims = parts.claims;
    this.#running = parts.running;
    this.#attempts = dependencies.attempts;
    this.#clock = dependencies.clock;
    this.#logger = dependencies.logger;
    this.#capacity = dependencies.capacity;
    this.#processor = new AttemptProcessor(parts, dependencies);
    this.#batches = new BatchProcessor(parts, dependencies);
    this.#webhook = dependencies.webhook;
  }

  get isClosed(): boolean {
    return this.#claims.isStopped;
  }

  get changed(): AbortSignal {
    return this.#claims.changed;
  }

  take(taken: number): boolean {
    return this.#claims.allows(this.#running.size + taken) && this.#capacity.take();
  }

  freed(changed: AbortSignal): Promise<void> {
    if (this.#claims.allows(this.#running.size)) return this.#capacity.change(changed);
    return anyOf(changed, this.#freed.signal);
  }

  /** Claims a job, or several, for the slot, and processes them. Resolves once the claim is answered. */
  async fill(): Promise<NoJob | undefined> {
    const { batch } = this.#claims.worker.opts ?? {};
    return batch === undefined ? this.#fillWithOne() : this.#fillWithSome(batch);
  }

  async #fillWithSome(options: BatchOptions): Promise<NoJob | undefined> {
    let processes = false;
    const parts = { claims: this.#claims, running: this.#running, attempts: this.#attempts };
    const more = { webhook: this.#webhook, clock: this.#clock, jobs: this.#batchedJobs };
    const batch = new BatchClaiming({ ...parts, ...more }, options);
    try {
      const lack = await batch.begin();
      processes = batch.taken.length > 0;
      const { alone } = batch;
      if (alone !== undefined) {
        // From here on its own call is for it.
        this.#running.remove(alone);
        void this.#process(alone);
      } else if (processes) void this.#processBatch(batch);
      return processes ? undefined : lack;
    } catch (error) {
      await batch.giveBack();
      throw error;
    } finally {
      if (!processes) this.#capacity.free();
    }
  }

  async #fillWithOne(): Promise<NoJob | undefined> {
    let processes = false;
    try {
      const claim = await this.#claims.claim();
      if (claim.kind !== 'attempt') return claim;
      processes = !this.isClosed;
      if (processes) void this.#process(claim.attempt);
      else await this.#attempts.release(this.#queue, claim.attempt);
      return undefined;
    } finally {
      if (!processes) this.#capacity.free();
    }
  }

  async wait(noJob: NoJob, changed: AbortSignal): Promise<void> {
    const ports = { attempts: this.#attempts, clock: this.#clock };
    await waitAfter(noJob, { ...ports, queue: this.#queue, longest: LONGEST_WAIT }, changed);
    if (!changed.aborted) this.#claims.expireAnswers();
  }

  begun(): Promise<void> {
    return this.#clock.turn();
  }

  async failed(error: unknown, changed: AbortSignal): Promise<void> {
    if (!isStoreUnavailable(error)) {
      this.#logger.error('Taking a job failed', { queue: this.#queue, error });
    }
    await this.#clock.sleep(STORE_PAUSE, changed);
  }

  /** Resolves when no slot is in use. */
  async empty(): Promise<void> {
    while (this.#running.size > 0) await this.#freed.notified;
  }

  /** Stops {@link empty} from waiting for attempts that were given up. */
  givenUp(): void {
    this.#freed.notify();
  }

  get #queue(): QueueName {
    return this.#claims.worker.queue;
  }

  async #processBatch(batch: BatchClaiming): Promise<void> {
    await this.#batches.process(batch);
    this.#freed.notify();
    this.#capacity.free();
  }

  /** Processes an attempt and its successors in the same slot, each claimed when the previous one is recorded. */
  async #process(first: Attempt): Promise<void> {
    let attempt: Attempt | undefined = first;
    while (attempt !== undefined) attempt = await this.#processor.process(attempt);
    this.#freed.notify();
    this.#capacity.free();
  }
}
