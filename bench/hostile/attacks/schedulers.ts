import type { Attack } from '../attack.ts';
import type { Caller } from '../caller.ts';
import { MEGABYTE, several, times } from '../steps.ts';

const SCHEDULERS = '/queues/scheduled/schedulers';
const DAILY = 10_000;
const RARE = 100;
const CLIENTS = 4;

/** As many as the service lists at once. */
const PAGE = 100;

/** What schedulers cost: the times of their patterns have to be computed. */
export const SCHEDULED: readonly Attack[] = [
  {
    name: '10,000 daily schedulers, all listed by four clients',
    prepare: (caller) => save(caller, DAILY, (minute, hour) => `${minute} ${hour} * * *`),
    run: (caller) => Promise.all(Array.from({ length: CLIENTS }, () => listAll(caller))),
  },
  {
    name: '100 schedulers of leap days, listed ten times by four clients',
    prepare: (caller) => save(caller, RARE, (minute, hour) => `${minute} ${hour} 29 2 *`),
    run: (caller) =>
      Promise.all(
        Array.from({ length: CLIENTS }, () => times(10, () => caller.call('GET', SCHEDULERS))),
      ),
  },
  {
    name: 'a pattern that never comes, stored 50 times by four clients',
    run: (caller) => {
      const body = scheduler('0 0 31 2,4,6,9,11 *', 1);
      const store = (id: number) => caller.call('PUT', `${SCHEDULERS}/${id}`, body);
      return Promise.all(Array.from({ length: CLIENTS }, (_, id) => times(50, () => store(id))));
    },
  },
  {
    name: '20 schedulers with data of 9 MB, then all of them listed',
    body: () => scheduler('0 3 * * *', 'x'.repeat(9 * MEGABYTE)),
    run: async (caller, body) => {
      const ids = Array.from({ length: 20 }, (_, id) => id);
      await Promise.all(ids.map((id) => caller.call('PUT', `${SCHEDULERS}/${id}`, body)));
      await caller.call('GET', SCHEDULERS);
    },
  },
  {
    name: 'a scheduler run 4000 times by hand by four clients',
    prepare: (caller) => save(caller, 1, () => '0 3 * * *'),
    run: (caller) => several(CLIENTS, 4000, () => caller.call('POST', `${SCHEDULERS}/0/run`)),
  },
];

function scheduler(pattern: string, data: unknown): string {
  return JSON.stringify({ repeat: { pattern, tz: 'Europe/Berlin' }, job: { name: 'job', data } });
}

/** Some at a time, at all minutes of a day. */
function save(
  caller: Caller,
  count: number,
  patternAt: (minute: number, hour: number) => string,
): Promise<void> {
  return several(CLIENTS, count, (id) => {
    const body = scheduler(patternAt(id % 60, Math.floor(id / 60) % 24), id);
    return caller.must('PUT', `${SCHEDULERS}/${id}`, body);
  });
}

async function listAll(caller: Caller): Promise<void> {
  for (let start = 0, listed = PAGE; listed === PAGE; start += PAGE) {
    const query = start === 0 ? '' : `?start=${start}`;
    const page = await caller.read('GET', SCHEDULERS + query);
    listed = (page as readonly unknown[]).length;
  }
}
