import type { Attack } from '../attack.ts';
import { several, times } from '../steps.ts';

export const SESSIONS: readonly Attack[] = [
  {
    name: '20,000 sessions of a token, listed ten times and ended 20 times',
    prepare: (caller) => several(8, 20_000, () => caller.call('POST', '/sessions')),
    run: async (caller) => {
      await times(10, () => caller.call('GET', '/sessions'));
      await times(20, () => caller.call('DELETE', '/sessions/x'));
    },
  },
  {
    name: '20,000 sessions of a token, opened by eight clients',
    run: (caller) => several(8, 20_000, () => caller.call('POST', '/sessions')),
  },
];
