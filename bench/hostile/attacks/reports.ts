import type { Attack } from '../attack.ts';
import { withToken } from '../caller.ts';
import { MEGABYTE, several, times, whileRunning } from '../steps.ts';

export const REPORTS: readonly Attack[] = [
  {
    name: '80 progress reports of 9.9 MB by a job token',
    run: (caller) =>
      whileRunning(caller, (path, token) => {
        const body = `"${'x'.repeat(9.9 * MEGABYTE)}"`;
        return times(80, () => caller.call('POST', `${path}/progress`, body, withToken(token)));
      }),
  },
  {
    name: '40 log lines of 9.9 MB by a job token, then read',
    run: (caller) =>
      whileRunning(caller, async (path, token) => {
        const line = 'x'.repeat(9.9 * MEGABYTE);
        await times(40, () => caller.call('POST', `${path}/logs`, line, withToken(token)));
        await times(3, () => caller.call('GET', `${path}/logs?length=1000`));
      }),
  },
  {
    name: '1000 log lines of 64 kB by a job token, then read 16 times by eight clients',
    run: (caller) =>
      whileRunning(caller, async (path, token) => {
        const line = 'x'.repeat(64_000);
        const headers = withToken(token);
        await several(8, 1000, () => caller.call('POST', `${path}/logs`, line, headers));
        await several(8, 16, () => caller.call('GET', `${path}/logs?length=1000`));
      }),
  },
];
