import type { Attack } from '../attack.ts';
import { withToken } from '../caller.ts';
import { several, times, whileRunning } from '../steps.ts';

/** JSON of so many bytes. */
const textOf = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;

export const JOB_STEPS: readonly Attack[] = [
  {
    name: '1000 steps of 1 kB by a job token, then read 100 times by eight clients',
    run: (caller) =>
      whileRunning(caller, async (path, token) => {
        const [headers, value] = [withToken(token), textOf(1000)];
        const save = (step: number) => caller.call('PUT', `${path}/steps/${step}`, value, headers);
        await several(8, 1000, save);
        await several(8, 100, () => caller.call('GET', `${path}/steps`));
      }),
  },
  {
    name: '80 suspensions of 9.9 MB by a job token',
    run: (caller) =>
      whileRunning(caller, (path, token) => {
        const body = `{"steps":{"large":${textOf(9_900_000)}}}`;
        return times(80, () => caller.call('POST', `${path}/suspend`, body, withToken(token)));
      }),
  },
  {
    name: '10,000 kept signals of 64 kB by eight clients, then 100 pages of them',
    run: async (caller) => {
      const body = textOf(64_000);
      const path = '/queues/signals/signals';
      await several(8, 10_000, (key) => caller.call('POST', `${path}/${key}?keep=60000`, body));
      await several(8, 100, () => caller.call('GET', `${path}?length=1000`));
    },
  },
];
