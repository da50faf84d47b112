import type { Attack } from '../attack.ts';
import { addLarge, addSmall, JOBS, MEGABYTE, times } from '../steps.ts';

export const PAGES: readonly Attack[] = [
  {
    name: 'a page of 60,000 jobs, three times',
    prepare: (caller) => addSmall(caller, 60_000),
    run: (caller) => times(3, () => caller.call('GET', `${JOBS}?length=60000`)),
  },
  {
    name: 'a page of 1000 jobs, thirty times',
    prepare: (caller) => addSmall(caller, 60_000),
    run: (caller) => times(30, () => caller.call('GET', `${JOBS}?length=1000`)),
  },
  {
    name: 'a page of ten jobs of 9.9 MB, three times',
    prepare: (caller) => addLarge(caller, 10, 9.9 * MEGABYTE),
    run: (caller) => times(3, () => caller.call('GET', JOBS)),
  },
];
