import { notFound } from '../../domain/errors.ts';
import { callsLength, newestCalls, type LatestCall } from '../../domain/calls/latest-calls.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import type { FigureRecorder } from '../figures/figure-recorder.ts';
import type { FiguresPort } from '../ports/figures-port.ts';
import type { KeptWorkers } from '../kept/workers.ts';

/** Reports the latest calls of workers, across all replicas (platform contract, section 10). */
export class WorkerCalls {
  readonly #store: FiguresPort;
  readonly #recorder: Pick<FigureRecorder, 'flush'>;
  readonly #workers: KeptWorkers;

  constructor(store: FiguresPort, recorder: Pick<FigureRecorder, 'flush'>, workers: KeptWorkers) {
    this.#store = store;
    this.#recorder = recorder;
    this.#workers = workers;
  }

  /**
   * The most recently ended calls, newest first: those of this replica up to now, and those of others up to ten seconds
   * ago.
   *
   * @throws DomainError `invalid-request`, or `worker-not-found`.
   */
  async latest(queue: QueueName, length: number): Promise<readonly LatestCall[]> {
    checkShape(callsLength, length, 'length');
    const [worker] = await Promise.all([this.#workers.find(queue), this.#recorder.flush(queue)]);
    if (worker === undefined) throw notFound('worker');
    return newestCalls(await this.#store.calls(queue), length);
  }
}
