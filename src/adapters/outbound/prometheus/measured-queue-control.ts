import type {
  QueueControlPort,
  QueueRemoval,
} from '../../../application/ports/queue-control-port.ts';
import type { Deduplication } from '../../../domain/jobs/deduplication.ts';
import type { DrainOptions } from '../../../domain/queues/drain-options.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { StoreTimer } from './store-timer.ts';

/** Control of queues as the store has it, with the time that each call takes. */
export class MeasuredQueueControl implements QueueControlPort {
  readonly #control: QueueControlPort;
  readonly #timer: StoreTimer;

  constructor(control: QueueControlPort, timer: StoreTimer) {
    this.#control = control;
    this.#timer = timer;
  }

  pause(queue: QueueName): Promise<void> {
    return this.#timer.time(this.#control.pause(queue));
  }

  resume(queue: QueueName): Promise<void> {
    return this.#timer.time(this.#control.resume(queue));
  }

  hold(queue: QueueName, duration: number): Promise<number> {
    return this.#timer.time(this.#control.hold(queue, duration));
  }

  endHold(queue: QueueName): Promise<boolean> {
    return this.#timer.time(this.#control.endHold(queue));
  }

  /** How long it takes depends on how much there is to remove, and says nothing about the store. */
  drain(queue: QueueName, options: DrainOptions): Promise<number> {
    return this.#control.drain(queue, options);
  }

  /** As long as a drain. */
  remove(queue: QueueName, isForced: boolean): Promise<QueueRemoval> {
    return this.#control.remove(queue, isForced);
  }

  deduplication(queue: QueueName, id: string): Promise<Deduplication | undefined> {
    return this.#timer.time(this.#control.deduplication(queue, id));
  }

  endDeduplication(queue: QueueName, id: string): Promise<boolean> {
    return this.#timer.time(this.#control.endDeduplication(queue, id));
  }
}
