import type { Attack } from '../attack.ts';
import { several } from '../steps.ts';

const LIMITS = 1000;

/** How many of them the policy of a queue may name. */
const NAMED = 4;

export const LIMITED: readonly Attack[] = [
  {
    name: '1000 limits, 250 policies that name them, then 100 lists of the limits by eight clients',
    run: async (caller) => {
      const limit = JSON.stringify({ concurrency: 1, limiter: { max: 1, duration: 1000 } });
      await several(8, LIMITS, (at) => caller.call('PUT', `/limits/attacked-${at}`, limit));
      await several(8, LIMITS / NAMED, (at) => {
        const limits = Array.from({ length: NAMED }, (_, of) => `attacked-${at * NAMED + of}`);
        const policy = JSON.stringify({ limits });
        return caller.call('PUT', `/queues/attacked-${at}/policy`, policy);
      });
      await several(8, 100, () => caller.call('GET', '/limits'));
    },
  },
];
