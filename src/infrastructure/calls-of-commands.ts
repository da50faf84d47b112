import type { Calls } from '../../clients/command-line/calls.ts';

/** Calls of endpoints by commands; loaded when a command makes the first. */
export const callsOfCommands: Calls = {
  to: async (target, variables) => {
    const { CallerOfQueue } = await import('./caller-of-queue.ts');
    return new CallerOfQueue(target, variables);
  },
};
