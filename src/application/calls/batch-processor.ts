import { endLostCall } from './lost-attempts.ts';
import { acceptedFor } from '../../domain/attempts/acceptance.ts';
import { recordedResponse, type EndedCall } from '../../domain/attempts/attempt-record.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import {
  failedForGood,
  reasonNotToStart,
  withTrace,
  type AttemptEnding,
} from '../../domain/attempts/ending.ts';
import { batchOutcome, NOT_NAMED } from '../../domain/batches/batch-answer.ts';
import { endingOfFailedBatch, endingOfItem } from '../../domain/batches/batch-ending.ts';
import type { EndpointAnswer } from '../../domain/calls/delivery.ts';
import { hasUrl, NO_ENDPOINT, type CalledWorker } from '../../domain/workers/called-worker.ts';
import { disablingReason } from '../../domain/workers/worker-disabling.ts';
import { EndpointCallError, ReplicaShortageError } from '../ports/webhook-port.ts';
import { latestSteps } from '../steps/latest-steps.ts';
import type { ProcessingDependencies } from './attempt-processor.ts';
import { AttemptRecording, endingOfDefect, type ConsumerParts } from './attempt-recording.ts';
import type { BatchClaiming } from './batch-claiming.ts';

/** Assumed duration (ms) of a call to an endpoint without a timeout, for its record. */
const LONGEST_CALL = 3_600_000;

/** How much longer (ms) the record is kept, so that a stalled check can still find it. */
const NOTED_LONGER = 600_000;

/** The outcome of a call: the ending of each attempt, or how long (ms) the endpoint keeps all of the jobs. */
interface CallResult {
  readonly endingOf: (attempt: Attempt, position: number) => AttemptEnding;
  readonly acceptedFor?: number | undefined;
  readonly answer?: EndpointAnswer | undefined;
}

/** Makes calls for several jobs, and records the outcome of each. */
export class BatchProcessor {
  readonly #parts: ConsumerParts;
  readonly #dependencies: ProcessingDependencies;
  readonly #recording: AttemptRecording;

  constructor(parts: ConsumerParts, dependencies: ProcessingDependencies) {
    this.#parts = parts;
    this.#dependencies = dependencies;
    this.#recording = new AttemptRecording(parts, dependencies);
  }

  /** Fills a call that has its first jobs, makes it and records the outcomes. Never rejects. */
  async process(batch: BatchClaiming): Promise<void> {
    const { running, claims } = this.#parts;
    const { queue } = claims.worker;
    try {
      await batch.fill();
      if (claims.isStopped) await batch.giveBack();
      else await this.#run(batch);
    } catch (error) {
      await this.#failFor(error, batch);
    } finally {
      for (const attempt of batch.taken) {
        if (running.hasLost(attempt)) void endLostCall(this.#dependencies, queue, attempt);
        running.remove(attempt);
      }
    }
  }

  async #run(batch: BatchClaiming): Promise<void> {
    const attempts = await this.#startable(batch);
    const { worker } = batch;
    if (attempts.length === 0 || !hasUrl(worker)) return;
    const { clock, capacity, tracing } = this.#dependencies;
    const startedAt = clock.now();
    let result: CallResult | undefined;
    const { timeout = LONGEST_CALL } = worker.endpoint;
    this.#note(batch, attempts.length, timeout);
    try {
      result = await this.#call(batch, worker, attempts);
    } catch (error) {
      if (!(error instanceof ReplicaShortageError)) throw error;
      capacity.ranShort(error.message);
      await batch.giveBack();
      return;
    } finally {
      if (result?.acceptedFor === undefined) this.#forget(batch);
      else this.#note(batch, attempts.length, result.acceptedFor);
    }
    capacity.succeeded();
    const duration = clock.now() - startedAt;
    const { running } = this.#parts;
    const first = attempts.find((each) => running.has(each));
    if (first === undefined) return;
    const { acceptedFor: bound, answer } = result;
    const disables = answer && disablingReason(answer, worker);
    if (disables !== undefined) await this.#recording.disable(first, worker, disables);
    await Promise.all(
      attempts.map(async (attempt, position) => {
        // An attempt that lost its job has nothing to record.
        if (!running.has(attempt)) return;
        const shares = attempt !== first;
        if (bound !== undefined) {
          await this.#recording.leaveToEndpoint(attempt, bound, duration, shares);
          return;
        }
        // Each job of a call has its own trace.
        const traceId = tracing?.traceIdOf(attempt, attempt.job);
        const ending = withTrace(result.endingOf(attempt, position), traceId);
        const ended = { ending, status: answer?.status };
        const inBatch = shares ? 'shares' : 'counts';
        await this.#recording.end({ attempt, worker, result: ended, duration, inBatch });
      }),
    );
  }

  /** If this fails, the records of attempts that end otherwise lack the call; it is not worth waiting for. */
  #note({ id, worker }: BatchClaiming, size: number, duration: number): void {
    const { attempts } = this.#dependencies;
    void attempts.noteCall(worker.queue, { id, size }, duration + NOTED_LONGER).catch(() => {});
  }

  #forget({ id, worker }: BatchClaiming): void {
    void this.#dependencies.attempts.forgetCall(worker.queue, id).catch(() => {});
  }

  /** As for a single attempt: otherwise the job would stall and its endpoint would be called again. */
  async #failFor(error: unknown, { worker, attempts }: BatchClaiming): Promise<void> {
    const { logger, clock } = this.#dependencies;
    logger.error('A batch ended in an unexpected error', { queue: worker.queue, error });
    const endings = attempts.map((attempt) => {
      const ending = endingOfDefect(error, attempt, worker, clock.now());
      const ended = { attempt, worker, result: { ending }, duration: 0 };
      return this.#recording.end({ ...ended, inBatch: 'shares' });
    });
    await Promise.allSettled(endings);
  }

  /** Ends the attempts that may not start. @returns the others. */
  async #startable(batch: BatchClaiming): Promise<readonly Attempt[]> {
    const { worker, attempts } = batch;
    const { running } = this.#parts;
    const { clock, observer } = this.#dependencies;
    const startable: Attempt[] = [];
    for (const attempt of attempts) {
      observer.observe({ kind: 'started', queue: worker.queue, attempt });
      if (running.isLate(attempt) && !(await running.holds(attempt))) continue;
      const mustFail =
        reasonNotToStart(attempt, clock.now()) ?? (hasUrl(worker) ? undefined : NO_ENDPOINT);
      if (mustFail === undefined) {
        startable.push(attempt);
        continue;
      }
      const ending = failedForGood(worker.opts?.removeOnFail, mustFail);
      const ended = { attempt, worker, result: { ending }, duration: 0 };
      await this.#recording.end({ ...ended, inBatch: 'shares' });
    }
    return startable;
  }

  async #call(
    batch: BatchClaiming,
    worker: CalledWorker,
    attempts: readonly Attempt[],
  ): Promise<CallResult> {
    const { id } = batch;
    const { endpoint, queue, opts = {} } = worker;
    const { clock, tracing, webhook, steps } = this.#dependencies;
    const [first] = attempts as [Attempt];
    const span = tracing?.call(first, endpoint.url);
    const record: Pick<EndedCall, 'batch'> = { batch: { id, size: attempts.length } };
    const failed = (
      reason: string,
      call: EndedCall,
      more: { answer?: EndpointAnswer; isFinal?: boolean; isWhole?: boolean } = {},
    ): CallResult => {
      const { answer, isFinal = false, isWhole = true } = more;
      const of = { id, reason, call, answer, isFinal, isWhole, size: attempts.length };
      return {
        answer,
        endingOf: (attempt, position) =>
          endingOfFailedBatch(opts, attempt, position, of, clock.now()),
      };
    };
    let made: EndedCall | undefined;
    try {
      const renewed =
        endpoint.steps === true && steps !== undefined
          ? async () => {
              const latest = attempts.map(async (attempt) => ({
                ...attempt,
                steps: await latestSteps(steps, attempt),
              }));
              return { batch: { id, queue, attempts: await Promise.all(latest) } };
            }
          : undefined;
      const called = { endpoint, batch: { id, queue, attempts }, trace: span?.context, renewed };
      const answer = await webhook.call(called, batch.call);
      const { status, body } = answer;
      made = { ...record, outcome: 'completed', status };
      const bound = acceptedFor(endpoint, answer);
      const ids = new Set(attempts.map(({ jobId }) => jobId));
      const outcome = batchOutcome(answer, endpoint, ids);
      if (outcome.kind === 'failed') {
        const { reason, isWhole } = outcome;
        made = { ...record, outcome: 'failed', status, response: recordedResponse(body) };
        const result = failed(reason, made, { answer, isWhole });
        return { ...result, acceptedFor: bound };
      }
      const call = made;
      const endingOf = (attempt: Attempt): AttemptEnding =>
        endingOfItem(opts, attempt, outcome.of.get(attempt.jobId) ?? NOT_NAMED, call, clock.now());
      return { endingOf, answer, acceptedFor: bound };
    } catch (error) {
      if (!(error instanceof EndpointCallError)) throw error;
      made = { ...record, outcome: error.outcome };
      return failed(error.message, made, { isFinal: error.final });
    } finally {
      span?.end(made);
    }
  }
}
