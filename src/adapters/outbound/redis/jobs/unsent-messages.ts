import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { HooksOfQueues } from '../../../../application/ports/hooks-of-queues.ts';
import { hookOfQueue } from '../../../../domain/queues/own-queue.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { hooksArgument } from '../layout/hooks-argument.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { noteMessages } from '../scripts/events.ts';

/** How many messages one run counts. */
const PER_RUN = 500;

/** Counts the messages of hooks that no step that ends a job adds. */
export class UnsentMessages {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;
  readonly #hooks: HooksOfQueues;

  constructor(store: StoreCommands, clock: ClockPort, hooks: HooksOfQueues) {
    this.#store = store;
    this.#clock = clock;
    this.#hooks = hooks;
  }

  /** Counts those that wait, where the queue is that of a hook; it may be repeated. */
  async note(queue: QueueName, ids: readonly string[]): Promise<void> {
    const hook = hookOfQueue(queue);
    if (hook === undefined) return;
    const hooks = hooksArgument(this.#hooks.of(queue));
    let behind = ids.length;
    for (const some of piecesOf(ids, PER_RUN)) {
      behind -= some.length;
      const args = { hook, now: this.#clock.now(), hooks, behind };
      await this.#store.callOf(queue, noteMessages, args, some);
    }
  }
}
