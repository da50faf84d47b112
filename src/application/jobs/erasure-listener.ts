import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { Startable } from '../running/startable.ts';

/** The reports of this process about failed jobs, which hold the reasons of failures. */
export interface ForgetsReasons {
  /** Forgets why jobs and calls failed, in all queues unless one is given. */
  forget(queue?: QueueName): void;
}

/** Forgets what this replica has not written yet of jobs that another one erases. */
export class ErasureListener implements Startable {
  readonly name = 'listener for erasures';
  readonly #signals: Pick<ReplicaSignalsPort, 'listen'>;
  readonly #recorders: ForgetsReasons;
  #end: (() => void) | undefined;

  constructor(signals: Pick<ReplicaSignalsPort, 'listen'>, recorders: ForgetsReasons) {
    this.#signals = signals;
    this.#recorders = recorders;
  }

  start(): Promise<void> {
    this.#end = this.#signals.listen('erased', ({ queue }) => {
      this.#recorders.forget(queue);
    });
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#end?.();
    return Promise.resolve();
  }
}
