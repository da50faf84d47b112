import { MAX_HEADERS } from '../../../src/domain/calls/endpoint-headers.ts';
import { MOST_HOOKS } from '../../../src/domain/hooks/hook.ts';
import type { Attack } from '../attack.ts';
import { several } from '../steps.ts';

const CLIENTS = 8;
const CHANGES = 4 * MOST_HOOKS;

/** What as many hooks as there may be cost, each as large as it may be. */
export const HOOKS: readonly Attack[] = [
  {
    name: '400 changes of 100 hooks of 100 patterns and 8 kB of headers, then 40 lists',
    run: async (caller) => {
      await several(CLIENTS, CHANGES, (n) =>
        caller.must('PUT', `/hooks/hook-${n % MOST_HOOKS}`, largest(n)),
      );
      await several(CLIENTS, 40, () => caller.must('GET', '/hooks'));
    },
  },
];

/** A paused hook, so that nothing is sent anywhere. */
function largest(change: number): string {
  const name = 'x-large';
  return JSON.stringify({
    url: `http://127.0.0.1:9/${change}`,
    headers: { [name]: 'x'.repeat(MAX_HEADERS - name.length) },
    events: ['job.*', 'worker.*'],
    queues: Array.from({ length: 100 }, (_, n) => `*${'x'.repeat(190)}*${n}`),
    paused: true,
  });
}
