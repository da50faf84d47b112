import { isStoreUnavailable } from '../../../../domain/errors.ts';
import { OF_HELD } from '../../../../domain/queues/own-queue.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { makeHeld } from '../../../../domain/transitions/callbacks.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { JobReading } from './job-reading.ts';

/**
 * Makes the calls that were held back, and that a step had room for but did not have in memory. What cannot be read waits
 * for the next time: the step has been taken.
 */
export async function makeHeldCalls(store: MemoryStore): Promise<void> {
  for (const name of store.takeWanting()) {
    const held = store.find(name);
    if (held === undefined || !name.startsWith(OF_HELD)) continue;
    const calls = store.open(name.slice(OF_HELD.length) as QueueName);
    const step = (): void => {
      store.run((now) => {
        makeHeld(calls, now);
      });
    };
    await new JobReading(held).untilAtHand(step).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) throw error;
      store.want(name);
    });
  }
}
