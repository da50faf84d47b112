import type { ConsumerParts } from './attempt-recording.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import {
  BATCH_ID_LENGTH,
  batchIdOf,
  kinshipOf,
  type BatchClaim,
} from '../../domain/attempts/batch.ts';
import { DEFAULT_MAX_BYTES, type BatchOptions } from '../../domain/calls/batch-options.ts';
import { Cancellation } from '../../domain/calls/cancellation.ts';
import { destinationOf } from '../../domain/calls/destination.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import { giveBack } from '../attempts/give-back.ts';
import { untilStoreAnswers } from '../running/until-store-answers.ts';
import { waitAfter, type NoJob } from '../running/wait-after.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

/** Approximate size (bytes) of the body without its jobs. */
const FRAME_BYTES = 64;

/** How often (ms) a call looks for more jobs while the waiting ones may not join it. */
const LOOK_INTERVAL = 50;

/** What is known of the jobs of a worker from its earlier calls. */
export class BatchedJobs {
  /** Mean size (bytes) of the jobs of the latest call, in its body; a guess before the first one. */
  meanBytes = 1000;
}

export interface BatchParts
  extends ConsumerParts, Pick<CommonPorts, 'attempts' | 'webhook' | 'clock'> {
  readonly jobs: BatchedJobs;
}

/** Claims the jobs of one call: the first ones at once, and more until the call is full or due. */
export class BatchClaiming {
  readonly id: string;
  readonly worker: Worker;
  /** Ends the call when none of its attempts holds its job any longer. */
  readonly call = new Cancellation();
  readonly #parts: BatchParts;
  readonly #options: BatchOptions;
  readonly #taken: Attempt[] = [];
  #bytes = FRAME_BYTES;
  #isFull = false;
  #dueAt = Infinity;
  /** Why the latest claim returned no more jobs. */
  #lack: NoJob = { kind: 'idle' };

  constructor(parts: BatchParts, options: BatchOptions) {
    this.#parts = parts;
    this.#options = options;
    this.id = batchIdOf(parts.claims.drawToken());
    this.worker = parts.claims.worker;
  }

  /** All attempts that were claimed for the call. */
  get taken(): readonly Attempt[] {
    return this.#taken;
  }

  /** The one attempt of a call that is for a job with a destination of its own. */
  get alone(): Attempt | undefined {
    const [first] = this.#taken;
    return first && destinationOf(first.job.opts) && first;
  }

  /** The attempts that still hold their jobs, in claim order. */
  get attempts(): readonly Attempt[] {
    return this.#taken.filter((each) => this.#parts.running.has(each));
  }

  /**
   * Claims the first jobs.
   *
   * @returns why there are no jobs; undefined when there are some, or the consumer stopped.
   */
  async begin(): Promise<NoJob | undefined> {
    const lack = await this.#claimAll();
    const [first] = this.#taken;
    if (first === undefined) return lack;
    const { clock } = this.#parts;
    const { timestamp, opts, attemptsMade } = first.job;
    const wasReady = attemptsMade === 0 && first.deferrals === undefined;
    const readyAt = wasReady ? Math.min(timestamp + opts.delay, clock.now()) : clock.now();
    // The remainder of a split call does not wait for more jobs.
    this.#dueAt = first.half === undefined ? readyAt + (this.#options.wait ?? 0) : readyAt;
    this.#note(lack);
    return undefined;
  }

  /** Claims more jobs until the call is full or due, or the consumer stops. */
  async fill(): Promise<void> {
    const { claims, clock, attempts } = this.#parts;
    while (!this.#isFull && clock.now() < this.#dueAt && !this.#hasEnded()) {
      const { changed } = claims;
      const longest = this.#dueAt - clock.now();
      // Jobs wait, but may not join this call; waiting for any job would return at once.
      if (this.#othersWait) await clock.sleep(Math.min(LOOK_INTERVAL, longest), changed);
      else
        await waitAfter(
          this.#lack,
          { attempts, clock, queue: this.worker.queue, longest },
          changed,
        );
      if (this.#hasEnded()) return;
      this.#note(await this.#claimAll());
    }
  }

  /** Puts all its jobs back, as if they had not been claimed. */
  async giveBack(): Promise<void> {
    const { attempts } = this;
    for (const each of attempts) this.#parts.running.beginEnding(each);
    await giveBack(this.#parts.attempts, this.worker.queue, attempts);
    for (const each of attempts) this.#parts.running.remove(each);
  }

  #hasEnded(): boolean {
    return this.#parts.claims.isStopped || this.call.isRequested;
  }

  #note(lack: NoJob | undefined): void {
    if (lack !== undefined) this.#lack = lack;
  }

  /** Whether jobs are waiting that may not join the call. */
  get #othersWait(): boolean {
    const { kind } = this.#lack;
    return kind === 'idle' && (this.#lack.nextAt ?? Infinity) <= this.#parts.clock.now();
  }

  /** Claims until the call is full. @returns why there were no more jobs, unless it is full. */
  async #claimAll(): Promise<NoJob | undefined> {
    while (!this.#isFull) {
      const lack = await this.#claimSome();
      this.#isFull ||= this.#taken.length >= this.#options.size || this.alone !== undefined;
      if (lack !== undefined || this.#hasEnded()) return lack;
    }
    return undefined;
  }

  async #claimSome(): Promise<NoJob | undefined> {
    const { claims, clock, running } = this.#parts;
    const tokens = Array.from({ length: this.#wanted }, () => {
      return this.id + claims.drawToken().slice(BATCH_ID_LENGTH);
    });
    const claimed = await untilStoreAnswers(
      clock,
      () => !claims.isStopped,
      (isRepeated) => claims.claimBatch(this.id, tokens, this.#terms, isRepeated),
    );
    if (claimed === undefined) return undefined;
    const { attempts, lack } = claimed;
    // Given up or stopped in the meantime: jobs claimed after that go back.
    const kept = this.#hasEnded() ? 0 : this.#fitting(attempts);
    for (const attempt of attempts.slice(0, kept)) {
      running.addTo(this.call, attempt);
      this.#taken.push(attempt);
    }
    if (kept > 0) this.#parts.jobs.meanBytes = this.#bytes / this.#taken.length;
    if (kept < attempts.length) {
      const others = attempts.slice(kept);
      await giveBack(this.#parts.attempts, this.worker.queue, others, !this.#hasEnded());
    }
    return lack;
  }

  get #terms(): BatchClaim {
    const [first] = this.#taken;
    const { by = 'queue' } = this.#options;
    return { by, kin: first && kinshipOf(first) };
  }

  /** How many more jobs fit, judging by the sizes so far. */
  get #wanted(): number {
    const { size, maxBytes = DEFAULT_MAX_BYTES } = this.#options;
    const { length } = this.#taken;
    const { meanBytes } = this.#parts.jobs;
    const mean = length === 0 ? meanBytes : this.#bytes / length;
    const fitting = Math.max(1, Math.floor((maxBytes - this.#bytes) / mean));
    return Math.min(size - length, fitting);
  }

  /** How many of the jobs fit into the body. A job that exceeds the limit goes alone. */
  #fitting(attempts: readonly Attempt[]): number {
    const { maxBytes = DEFAULT_MAX_BYTES } = this.#options;
    for (const [index, attempt] of attempts.entries()) {
      const bytes = this.#parts.webhook.bytesInBatch(attempt) + 1;
      const isFirst = this.#taken.length + index === 0;
      if (this.#bytes + bytes > maxBytes && !isFirst) {
        this.#isFull = true;
        return index;
      }
      this.#bytes += bytes;
    }
    return attempts.length;
  }
}
