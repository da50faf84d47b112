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
import type { OverdueAttempt } from '../../../../domain/attempts/acceptance.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
import type { StalledCheck } from '../../../../domain/attempts/stalled.ts';
import type { CallOfSeveral } from '../../../../domain/attempts/attempt-record.ts';
import { kinshipOf } from '../../../../domain/attempts/batch.ts';
import { MOST_CHILDREN_BYTES } from '../../../../domain/flows/flow.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** Attempts to process the jobs of queues in the memory of this process. */
export class MemoryAttempts implements AttemptEnginePort, AttemptHolderPort, AttemptSweepPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async claim(queue: QueueName, request: ClaimRequest): Promise<Claim> {
    return this.#withChildren(queue, this.#store.open(queue).claim(request));
  }

  async claimBatch(queue: QueueName, { tokens, ...request }: BatchRequest): Promise<ClaimedBatch> {
    const attempts: Attempt[] = [];
    let { batch } = request;
    for (const token of tokens) {
      const claim = await this.claim(queue, { ...request, batch, token });
      if (claim.kind !== 'attempt') return { attempts, lack: claim };
      attempts.push(claim.attempt);
      batch = { ...batch, kin: batch.kin ?? kinshipOf(claim.attempt) };
    }
    return { attempts };
  }

  async settle(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled> {
    const settled = this.#store.open(queue).settle(attempt, ending, next);
    if (settled.next === undefined) return settled;
    return { ...settled, next: this.#withChildren(queue, settled.next) };
  }

  async noteCall(queue: QueueName, call: CallOfSeveral, duration: number): Promise<void> {
    this.#store.open(queue).calls.note(call, duration);
  }

  async forgetCall(queue: QueueName, id: string): Promise<void> {
    this.#store.open(queue).calls.forget(id);
  }

  async callOf(queue: QueueName, { token }: AttemptKey): Promise<CallOfSeveral | undefined> {
    return this.#store.open(queue).calls.of(token);
  }

  async release(queue: QueueName, attempt: AttemptKey, isUncounted = false): Promise<void> {
    this.#store.open(queue).release(attempt, isUncounted);
  }

  async reportEnding(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
  ): Promise<ReportOutcome> {
    return this.#store.find(queue)?.reportEnding(attempt, ending) ?? 'refused';
  }

  async reportRelease(
    queue: QueueName,
    attempt: AttemptKey,
    delay: number,
  ): Promise<ReportOutcome> {
    return this.#store.find(queue)?.reportRelease(attempt, delay) ?? 'refused';
  }

  async holds(queue: QueueName, attempt: AttemptKey): Promise<boolean> {
    return this.#store.find(queue)?.holds(attempt) ?? false;
  }

  async wasReported(queue: QueueName, attempt: AttemptKey): Promise<boolean> {
    return this.#store.find(queue)?.wasReported(attempt) ?? false;
  }

  async extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#store.find(queue)?.extend(attempt, duration) ?? false;
  }

  async accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#store.find(queue)?.accept(attempt, duration) ?? false;
  }

  async endCall(queue: QueueName, attempt: AttemptKey): Promise<void> {
    this.#store.find(queue)?.endCall(attempt);
  }

  async overdue(): Promise<readonly OverdueAttempt[]> {
    return [...this.#store.all()].flatMap(([, queue]) => queue.overdue());
  }

  async renew<Held extends AttemptKey>(
    queue: QueueName,
    attempts: readonly Held[],
    duration: number,
  ): Promise<readonly Held[]> {
    return this.#store.open(queue).renew(attempts, duration);
  }

  async reportProgress(queue: QueueName, attempt: AttemptKey, progress: Json): Promise<boolean> {
    return this.#store.find(queue)?.reportProgress(attempt, progress) ?? false;
  }

  async addLog(queue: QueueName, attempt: AttemptKey, line: string): Promise<boolean> {
    return this.#store.find(queue)?.addLog(attempt, line) ?? false;
  }

  async recoverStalled(queue: QueueName, maxStalledCount: number): Promise<StalledCheck> {
    return this.#store.open(queue).recoverStalled(maxStalledCount);
  }

  async pulledQueues(): Promise<readonly QueueName[]> {
    return [...this.#store.all()].flatMap(([name, queue]) => (queue.isPulled ? [name] : []));
  }

  async waitForJobs(queue: QueueName, until: number, signal: AbortSignal): Promise<void> {
    await this.#store.open(queue).waitForJobs(until, signal);
  }

  #withChildren(queue: QueueName, claim: Claim): Claim {
    if (claim.kind !== 'attempt' || claim.attempt.mustFail !== undefined) return claim;
    const { jobId } = claim.attempt;
    if (this.#store.childrenOf(queue, jobId).length === 0) return claim;
    const children = this.#store.fittingChildren(queue, jobId, MOST_CHILDREN_BYTES);
    return { kind: 'attempt', attempt: { ...claim.attempt, children } };
  }
}
