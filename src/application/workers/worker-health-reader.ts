import { joinedFigures } from '../../domain/calls/call-figures.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import {
  conditionOf,
  workerHealth,
  type WorkerHealth,
} from '../../domain/workers/worker-health.ts';
import { MINUTE, type CallRecorder } from '../calls/call-recorder.ts';
import type { BreakerPort } from '../ports/breaker-port.ts';
import { KEPT_MINUTES, type CallFiguresPort } from '../ports/call-figures-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueueDirectoryPort } from '../ports/queue-directory-port.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';
import { workerNotFound } from './worker-not-found.ts';

export interface WorkerHealthReaderDependencies {
  readonly store: WorkerStorePort;
  readonly breakers: BreakerPort;
  readonly directory: QueueDirectoryPort;
  readonly figures: CallFiguresPort;
  /** Counts the calls of this replica. */
  readonly recorder: Pick<CallRecorder, 'flush'>;
  readonly clock: ClockPort;
}

/** Reports the health of workers, from the figures of their calls on all replicas. */
export class WorkerHealthReader {
  readonly #store: WorkerStorePort;
  readonly #breakers: BreakerPort;
  readonly #directory: QueueDirectoryPort;
  readonly #figures: CallFiguresPort;
  readonly #recorder: Pick<CallRecorder, 'flush'>;
  readonly #clock: ClockPort;

  constructor(dependencies: WorkerHealthReaderDependencies) {
    this.#store = dependencies.store;
    this.#breakers = dependencies.breakers;
    this.#directory = dependencies.directory;
    this.#figures = dependencies.figures;
    this.#recorder = dependencies.recorder;
    this.#clock = dependencies.clock;
  }

  /**
   * Includes the calls of this replica up to now, and those of others up to a second ago.
   *
   * @throws DomainError `worker-not-found`.
   */
  async read(queue: QueueName): Promise<WorkerHealth> {
    const now = Math.floor(this.#clock.now() / MINUTE);
    const [worker, breaker, [glance]] = await Promise.all([
      this.#store.find(queue),
      this.#breakers.find(queue),
      this.#directory.glances([queue]),
      this.#recorder.flush(queue),
    ]);
    if (worker === undefined) throw workerNotFound();
    const condition = conditionOf(worker, { breaker, hold: glance?.hold });
    const figures = await this.#figures.read(queue, now - KEPT_MINUTES, now);
    return workerHealth(condition, joinedFigures(figures));
  }
}
