import type { Attack } from '../attack.ts';
import { MEGABYTE, times, whileRunning } from '../steps.ts';

export const REPORTS: readonly Attack[] = [
  {
    name: '80 progress reports of 9.9 MB by a job token',
    run: (caller) =>
      whileRunning(caller, (path, token) => {
        const body = `"${'x'.repeat(9.9 * MEGABYTE)}"`;
        return times(80, () => caller.call('POST', `${path}/progress`, body, token));
      }),
  },
  {
    name: '40 log lines of 9.9 MB by a job token, then read',
    run: (caller) =>
      whileRunning(caller, async (path, token) => {
        const line = 'x'.repeat(9.9 * MEGABYTE);
        await times(40, () => caller.call('POST', `${path}/logs`, line, token));
        await times(3, () => caller.call('GET', `${path}/logs?length=1000`));
      }),
  },
];
