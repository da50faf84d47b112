import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { HooksOfQueues } from '../../../../application/ports/hooks-of-queues.ts';
import { hookOfQueue } from '../../../../domain/queues/own-queue.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { hooksArgument } from '../layout/hooks-argument.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { noteMessages } from '../scripts/adds.ts';

/** How many messages one run counts. */
const PER_RUN = 500;

/** Counts the messages of hooks that no step that ends a job adds. */
export class UnsentMessages {
  readonly #commands: StoreCommands;
  readonly #clock: ClockPort;
  readonly #hooks: HooksOfQueues;

  constructor(commands: StoreCommands, clock: ClockPort, hooks: HooksOfQueues) {
    this.#commands = commands;
    this.#clock = clock;
    this.#hooks = hooks;
  }

  /** Counts those that wait, in the queue of a hook; it may be repeated. */
  async note(keys: QueueKeys, ids: readonly string[]): Promise<void> {
    const hook = hookOfQueue(keys.queue);
    if (hook === undefined) return;
    const hooks = hooksArgument(this.#hooks.of(keys.queue));
    let behind = ids.length;
    for (const some of piecesOf(ids, PER_RUN)) {
      behind -= some.length;
      const args = { hook, now: this.#clock.now(), hooks, behind };
      await this.#commands.call(noteMessages, keys, args, some);
    }
  }
}
