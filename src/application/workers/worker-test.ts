import { acceptedFor } from '../../domain/attempts/acceptance.ts';
import { batchIdOf } from '../../domain/attempts/batch.ts';
import { Cancellation } from '../../domain/calls/cancellation.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import {
  jobOfTest,
  shownHeaders,
  testedEndpoint,
  workerTestShape,
  type WorkerTestInput,
} from '../../domain/workers/worker-test.ts';
import { deliver, type Delivery } from '../calls/deliver.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { TokenPort } from '../ports/token-port.ts';
import type { CallDescriberPort, DescribedCall } from '../ports/call-describer-port.ts';
import { ReplicaShortageError, type WebhookPort } from '../ports/webhook-port.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';
import { requireReadable } from '../../domain/workers/unreadable-worker.ts';
import { workerNotFound } from './worker-not-found.ts';

/** The result of a test call. */
export interface WorkerTestReport {
  /** The call, with header values hidden that may be secrets. */
  readonly request: DescribedCall;
  /** The outcome of an attempt; `accepted` for a job that the endpoint would complete later. */
  readonly outcome: string;
  readonly status: number | null;
  readonly durationMs: number;
  /** The first kB of the answer. */
  readonly response: string | null;
  /** Why it failed, or what was wrong with an answer that completes jobs. */
  readonly reason: string | null;
}

export interface WorkerTestDependencies {
  readonly workers: WorkerStorePort;
  readonly webhook: WebhookPort;
  readonly describer: CallDescriberPort;
  readonly tokens: TokenPort;
  readonly clock: ClockPort;
}

/**
 * Calls endpoints to check whether they answer, with a job that belongs to no queue (platform contract, section 10).
 */
export class WorkerTest {
  readonly #workers: WorkerStorePort;
  readonly #webhook: WebhookPort;
  readonly #describer: CallDescriberPort;
  readonly #tokens: TokenPort;
  readonly #clock: ClockPort;

  constructor(dependencies: WorkerTestDependencies) {
    this.#workers = dependencies.workers;
    this.#webhook = dependencies.webhook;
    this.#describer = dependencies.describer;
    this.#tokens = dependencies.tokens;
    this.#clock = dependencies.clock;
  }

  /**
   * Calls the endpoint once, regardless of the state of its worker, unless its secrets cannot be read. A worker with
   * batches gets a batch of one job. The call counts towards nothing, and its token is not valid for anything.
   *
   * @throws DomainError `invalid-request` naming the field, `worker-not-found` or `worker-unreadable`.
   */
  async run(queue: QueueName, input: WorkerTestInput): Promise<WorkerTestReport> {
    checkShape(workerTestShape, input, '');
    const worker = await this.#workers.find(queue);
    if (worker === undefined) throw workerNotFound();
    requireReadable(worker);
    const endpoint = testedEndpoint(worker.endpoint);
    const startedAt = this.#clock.now();
    const job = jobOfTest(queue, input, startedAt);
    const token = this.#tokens.draw();
    const alone = { jobId: job.id, token, job };
    const batch = worker.opts?.batch && { id: batchIdOf(token), queue, attempts: [alone] };
    const described = batch
      ? this.#describer.describeBatch(endpoint, batch)
      : this.#describer.describe(endpoint, job, token);
    const makeCall = (): ReturnType<WebhookPort['call']> =>
      batch
        ? this.#webhook.callBatch(endpoint, batch, new Cancellation())
        : this.#webhook.call(endpoint, job, token, new Cancellation());
    const delivery = await this.#delivered(() => deliver(endpoint, makeCall));
    const { call, outcome, answer } = delivery;
    const isAccepted = answer !== undefined && acceptedFor(endpoint, answer) !== undefined;
    return {
      request: { ...described, headers: shownHeaders(described.headers, worker.endpoint) },
      outcome: isAccepted ? 'accepted' : call.outcome,
      status: call.status ?? null,
      durationMs: Math.max(0, Math.round(this.#clock.now() - startedAt)),
      response: call.response ?? null,
      reason: outcome.succeeded ? (call.doubt ?? null) : isAccepted ? null : outcome.reason,
    };
  }

  /** For the client of the test, a call that this replica could not make counts as a refused connection. */
  async #delivered(call: () => Promise<Delivery>): Promise<Delivery> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ReplicaShortageError)) throw error;
      const outcome = { succeeded: false, reason: error.message, final: false } as const;
      return { outcome, call: { outcome: 'refused' } };
    }
  }
}
