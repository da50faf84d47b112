import { DomainError, existing } from '../../domain/errors.ts';
import { batchIdOf } from '../../domain/attempts/batch.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { NO_BATCHES, SUSPENDS } from '../../domain/steps/suspend-answer.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import {
  jobOfTest,
  testedEndpoint,
  workerTestShape,
  type WorkerTestInput,
} from '../../domain/workers/worker-test.ts';
import { testCall, type JudgeSuspension, type TestCallReport } from '../calls/test-call.ts';
import { mistakeInFirst, type ReadSuspension } from '../steps/suspensions.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import { hasUrl } from '../../domain/workers/called-worker.ts';
import { requireReadable } from '../../domain/workers/unreadable-worker.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

export interface WorkerTestDependencies extends Pick<CommonPorts, 'webhook' | 'tokens' | 'clock'> {
  readonly workers: KeptWorkers;
  readonly suspensions: ReadSuspension;
}

/**
 * Calls endpoints to check whether they answer, with a job that belongs to no queue (platform contract, section 10).
 */
export class WorkerTest {
  readonly #dependencies: WorkerTestDependencies;

  constructor(dependencies: WorkerTestDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Calls the endpoint once, regardless of the state of its worker, unless its secrets cannot be read. A worker with
   * batches gets a batch of one job. The call counts towards nothing, and its token is not valid for anything.
   *
   * @throws DomainError `invalid-request` naming the field, `worker-not-found`, `worker-unreadable` or `worker-without-url`.
   */
  async run(queue: QueueName, input: WorkerTestInput): Promise<TestCallReport> {
    const { workers, tokens, clock, suspensions } = this.#dependencies;
    checkShape(workerTestShape, input, '');
    const worker = existing(await workers.find(queue), 'worker');
    requireReadable(worker);
    if (!hasUrl(worker)) {
      throw new DomainError('worker-without-url', 'The worker has no endpoint of its own');
    }
    const endpoint = testedEndpoint(worker.endpoint);
    const job = jobOfTest(queue, input, clock.now());
    const token = tokens.draw();
    const alone = { jobId: job.id, token, job };
    const batch = worker.opts?.batch && { id: batchIdOf(token), queue, attempts: [alone] };
    const call = batch ? { endpoint, batch } : { endpoint, job, token };
    const judge: JudgeSuspension = async ({ status, body }) => {
      if (endpoint.steps !== true || status !== SUSPENDS) return undefined;
      return batch ? NO_BATCHES : ((await mistakeInFirst(suspensions, queue, body)) ?? null);
    };
    return testCall(call, worker.endpoint.headers, this.#dependencies, judge);
  }
}
