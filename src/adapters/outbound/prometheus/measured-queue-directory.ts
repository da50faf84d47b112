import type {
  QueueDirectoryPort,
  QueueGlance,
} from '../../../application/ports/queue-directory-port.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { StoreTimer } from './store-timer.ts';

/** The queues as the store has them, with the time that each call takes. */
export class MeasuredQueueDirectory implements QueueDirectoryPort {
  readonly #directory: QueueDirectoryPort;
  readonly #timer: StoreTimer;

  constructor(directory: QueueDirectoryPort, timer: StoreTimer) {
    this.#directory = directory;
    this.#timer = timer;
  }

  names(): Promise<readonly QueueName[]> {
    return this.#timer.time(this.#directory.names());
  }

  glances(queues: readonly QueueName[]): Promise<readonly (QueueGlance | undefined)[]> {
    return this.#timer.time(this.#directory.glances(queues));
  }

  /** How long it takes depends on how much there is to look through, and says nothing about the store. */
  discover(): Promise<void> {
    return this.#directory.discover();
  }
}
