import type { QueueName } from '../../../../domain/queues/queue-name.ts';
/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { AttemptEnding, Settled } from '../../../../domain/attempts/ending.ts';
import type { Attempt, AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { AttemptEnginePort } from '../../../../application/ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../../../../application/ports/attempt-holder-port.ts';
import type { AttemptSweepPort } from '../../../../application/ports/attempt-sweep-port.ts';
import type {
  BatchRequest,
  Claim,
  ClaimRequest,
  ClaimedBatch,
} from '../../../../domain/attempts/claim.ts';
import type { OverdueAttempt, OverdueSearch } from '../../../../domain/attempts/acceptance.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
import type { StalledCheck } from '../../../../domain/attempts/stalled.ts';
import type { CallOfSeveral } from '../../../../domain/attempts/attempt-record.ts';
import { kinshipOf } from '../../../../domain/attempts/batch.ts';
import type { Job } from '../../../../domain/jobs/job.ts';
import { MOST_CHILDREN_BYTES } from '../../../../domain/flows/flow.ts';
import { callOfSeveral, forgetCall, noteCall } from '../../../../domain/transitions/calls.ts';
import { claim } from '../../../../domain/transitions/claim.ts';
import {
  accept,
  addLog,
  endCall,
  extend,
  heldJob,
  holdsJob,
  overdue,
  renew,
  reportProgress,
} from '../../../../domain/transitions/holding.ts';
import {
  release,
  rememberedReport,
  reportEnding,
  reportRelease,
  settle,
} from '../../../../domain/transitions/settle.ts';
import { shownJob } from '../../../../domain/transitions/shown-job.ts';
import { recoverStalled } from '../../../../domain/transitions/stalled.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { JobReading } from './job-reading.ts';
import { makeHeldCalls } from './held-calls.ts';
import { fittingChildren } from './shown-children.ts';

/** The claim may be tried again at once. */
const ANOTHER_TIME: Claim = { kind: 'idle', nextAt: 0 };

/** Attempts to process the jobs of queues in the memory of this process. */
export class MemoryAttempts implements AttemptEnginePort, AttemptHolderPort, AttemptSweepPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async claim(name: QueueName, request: ClaimRequest): Promise<Claim> {
    const step = (): Claim =>
      this.#withChildren(
        name,
        this.#store.step(name, (queue, now) => claim(queue, request, now)),
      );
    return new JobReading(this.#store.open(name)).untilAtHand(step);
  }

  async claimBatch(queue: QueueName, { tokens, ...request }: BatchRequest): Promise<ClaimedBatch> {
    const attempts: Attempt[] = [];
    let { batch } = request;
    for (const token of tokens) {
      const claimed = await this.claim(queue, { ...request, batch, token });
      if (claimed.kind !== 'attempt') return { attempts, lack: claimed };
      attempts.push(claimed.attempt);
      batch = { ...batch, kin: batch.kin ?? kinshipOf(claimed.attempt) };
    }
    return { attempts };
  }

  async settle(
    name: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled> {
    const settled = await this.#withWhole(name, attempt, (): Settled => {
      const outcome = this.#store.step(name, (queue, now) =>
        settle(queue, attempt, ending, now, next),
      );
      if (outcome.next === undefined) return outcome;
      return { ...outcome, next: this.#withChildren(name, outcome.next) };
    });
    if (this.#store.isWanting) await makeHeldCalls(this.#store);
    if (next === undefined || settled.next === undefined) return settled;
    const wanted = this.#store.open(name).jobs.takeWanted();
    if (wanted.length === 0) return settled;
    // The attempt has ended, whatever becomes of the claim.
    return { ...settled, next: await this.claim(name, next).catch(() => ANOTHER_TIME) };
  }

  async noteCall(name: QueueName, call: CallOfSeveral, duration: number): Promise<void> {
    this.#store.step(name, (queue, now) => {
      noteCall(queue, call, duration, now);
    });
  }

  async forgetCall(name: QueueName, id: string): Promise<void> {
    this.#store.step(name, (queue) => {
      forgetCall(queue, id);
    });
  }

  async callOf(name: QueueName, { token }: AttemptKey): Promise<CallOfSeveral | undefined> {
    return this.#store.stepIfAny(name, ({ record }) => callOfSeveral(record.calls, token));
  }

  async release(name: QueueName, attempt: AttemptKey, isUncounted = false): Promise<void> {
    this.#store.step(name, (queue, now) => {
      release(queue, attempt, isUncounted, now);
    });
  }

  async reportEnding(
    name: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
  ): Promise<ReportOutcome> {
    const outcome = await this.#withWhole(name, attempt, () =>
      this.#store.stepIfAny(name, (queue, now) => reportEnding(queue, attempt, ending, now)),
    );
    if (this.#store.isWanting) await makeHeldCalls(this.#store);
    return outcome ?? 'refused';
  }

  async reportRelease(name: QueueName, attempt: AttemptKey, delay: number): Promise<ReportOutcome> {
    const outcome = this.#store.stepIfAny(name, (queue, now) =>
      reportRelease(queue, attempt, delay, now),
    );
    return outcome ?? 'refused';
  }

  async holds(name: QueueName, attempt: AttemptKey): Promise<boolean> {
    return this.#store.stepIfAny(name, (queue) => holdsJob(queue, attempt)) ?? false;
  }

  async heldJob(name: QueueName, attempt: AttemptKey): Promise<Job | undefined> {
    return this.#withWhole(name, attempt, () =>
      this.#store.stepIfAny(name, (queue) => {
        const job = heldJob(queue, attempt);
        return job && shownJob(queue.jobs.whole(job), name);
      }),
    );
  }

  async wasReported(name: QueueName, attempt: AttemptKey): Promise<boolean> {
    const report = this.#store.stepIfAny(name, (queue, now) =>
      rememberedReport(queue, attempt, now),
    );
    return report !== undefined;
  }

  async extend(name: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    const isHeld = this.#store.stepIfAny(name, (queue, now) =>
      extend(queue, attempt, duration, now),
    );
    return isHeld ?? false;
  }

  async accept(name: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    const isHeld = this.#store.stepIfAny(name, (queue, now) =>
      accept(queue, attempt, duration, now),
    );
    return isHeld ?? false;
  }

  async endCall(name: QueueName, attempt: AttemptKey): Promise<void> {
    this.#store.stepIfAny(name, (queue) => {
      endCall(queue, attempt);
    });
  }

  async overdue(): Promise<OverdueSearch> {
    const { stalledGrace } = this.#store;
    const found: OverdueAttempt[] = [];
    let nextAt = Infinity;
    for (const [, queue] of [...this.#store.all()]) {
      const search = await new JobReading(queue).untilAtHand(() => {
        const some = this.#store.run((now) => overdue(queue, stalledGrace, now));
        found.push(...some.found);
        return some;
      });
      nextAt = Math.min(nextAt, search.nextAt ?? Infinity);
    }
    return { found, ...(nextAt < Infinity && { nextAt }) };
  }

  async renew<Held extends AttemptKey>(
    name: QueueName,
    attempts: readonly Held[],
    duration: number,
  ): Promise<readonly Held[]> {
    return this.#store.step(name, (queue, now) =>
      attempts.filter((attempt) => !renew(queue, attempt, duration, now)),
    );
  }

  async reportProgress(name: QueueName, attempt: AttemptKey, progress: Json): Promise<boolean> {
    const isHeld = await this.#withWhole(name, attempt, () =>
      this.#store.stepIfAny(name, (queue) => reportProgress(queue, attempt, progress)),
    );
    return isHeld ?? false;
  }

  async addLog(name: QueueName, attempt: AttemptKey, line: string): Promise<boolean> {
    const isHeld = await this.#withWhole(name, attempt, () =>
      this.#store.stepIfAny(name, (queue) => addLog(queue, attempt, line)),
    );
    return isHeld ?? false;
  }

  async recoverStalled(name: QueueName, maxStalledCount: number): Promise<StalledCheck> {
    const { stalledGrace } = this.#store;
    const stalled: string[] = [];
    const check = await new JobReading(this.#store.open(name)).untilAtHand(() => {
      const some = this.#store.step(name, (queue, now) =>
        recoverStalled(queue, maxStalledCount, stalledGrace, now),
      );
      stalled.push(...some.stalled);
      return some;
    });
    return { ...check, stalled };
  }

  async pulledQueues(): Promise<readonly QueueName[]> {
    return [...this.#store.all()].flatMap(([name, { record }]) => (record.isPulled ? [name] : []));
  }

  async waitForJobs(name: QueueName, until: number, signal: AbortSignal): Promise<void> {
    await this.#store.open(name).waitForJobs(until, signal);
  }

  /** Takes a step that needs all of the job of an attempt. */
  #withWhole<Answer>(
    name: QueueName,
    { jobId }: AttemptKey,
    step: () => Answer,
  ): Answer | Promise<Answer> {
    const queue = this.#store.find(name);
    if (queue?.jobs.find(jobId)?.isWhole !== false) return step();
    return new JobReading(queue).withWhole(jobId, step);
  }

  /** To be called in the step of the claim: what the children returned may leave the memory after it. */
  #withChildren(queue: QueueName, claimed: Claim): Claim {
    if (claimed.kind !== 'attempt' || claimed.attempt.mustFail !== undefined) return claimed;
    const { jobId } = claimed.attempt;
    if (this.#store.childrenOf(queue, jobId).length === 0) return claimed;
    const children = fittingChildren(this.#store, queue, jobId, MOST_CHILDREN_BYTES);
    return { kind: 'attempt', attempt: { ...claimed.attempt, children } };
  }
}
