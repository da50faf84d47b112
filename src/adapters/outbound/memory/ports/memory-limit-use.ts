/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { LimitUsePort } from '../../../../application/ports/limit-use-port.ts';
import { useOf } from '../../../../domain/transitions/limit-use.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The use of the limits that the queues in the memory of this process share. */
export function memoryLimitUse(store: MemoryStore): LimitUsePort {
  const { limits } = store;
  return {
    uses: async (queries) =>
      store.run((now) =>
        queries.map(({ name, queue }) => {
          const limit = limits.find(name);
          return limit && useOf(limit, queue === undefined ? undefined : store.peek(queue), now);
        }),
      ),
    bind: async (name, settings, delay) =>
      store.run((now) => {
        limits.bind(name, settings, now + delay);
      }),
    queuesAt: async (name) => {
      const limit = limits.find(name);
      if (limit === undefined) return [];
      return limits.queuesAt(name).map((queue) => {
        const waits = limit.turns.find(queue)?.waits === true;
        return { queue, running: limit.runningOf(queue), waits };
      });
    },
  };
}
