/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { QueueDirectoryPort } from '../../../../application/ports/queue-directory-port.ts';
import { heldAt } from '../../../../domain/attempts/gate.ts';
import { isOwnQueue } from '../../../../domain/queues/own-queue.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { mapInTurns } from './map-in-turns.ts';

/** The queues in the memory of this process, which no other client can create. */
export function memoryQueueDirectory(store: MemoryStore): QueueDirectoryPort {
  return {
    names: async () =>
      [...store.all()].flatMap(([name, { record }]) =>
        record.isCreated && !isOwnQueue(name) ? [name] : [],
      ),
    glances: (queues) =>
      mapInTurns(queues, (name) => {
        const queue = store.find(name);
        if (queue?.record.isCreated !== true) return undefined;
        const { isPaused, pause, hold } = queue.record;
        const held = heldAt(hold, store.now());
        const suspended = queue.jobs.suspended.resting;
        const known = { isPaused, suspended, ...queue.jobs.listed.summary() };
        const glance = { ...known, ...(pause && { pause }) };
        return held === undefined ? glance : { ...glance, hold: held };
      }),
    // The store knows all queues.
    discover: () => Promise.resolve(),
  };
}
