import type { Attack } from '../attack.ts';
import type { Caller } from '../caller.ts';
import { addSmall, atOnce, JOBS, MEGABYTE, oneJob, times } from '../steps.ts';

/** As many as one request may add. */
const MOST = 10_000;

const WAITING = 200_000;

/** As many queues as a flow may name. */
const QUEUES = 100;

/** The largest requests of one client, several of them at once or one that takes very many steps. */
export const LARGE_AT_ONCE: readonly Attack[] = [
  {
    name: '20 adds of 10,000 jobs at once',
    body: () => JSON.stringify(Array.from({ length: MOST }, () => ({ name: 'job', data: 1 }))),
    run: (caller, body) => atOnce(20, () => caller.call('POST', JOBS, body)),
  },
  {
    name: 'eight jobs of 9 MB, added at once',
    body: () => oneJob(`"${'x'.repeat(9 * MEGABYTE)}"`),
    run: (caller, body) => atOnce(8, () => caller.call('POST', JOBS, body)),
  },
  {
    name: 'three flows of 9,999 children in 100 queues at once',
    body: flowInManyQueues,
    run: (caller, body) => atOnce(3, () => caller.call('POST', '/flows', body)),
  },
  {
    name: 'a queue of 200,000 jobs, drained',
    prepare: (caller) => addSmall(caller, WAITING),
    run: (caller) => caller.must('POST', '/queues/large/drain', '{}'),
  },
  {
    name: 'a queue of 200,000 jobs, cancelled 10,000 at a time',
    prepare: (caller) => addSmall(caller, WAITING),
    run: cancelAll,
  },
  {
    name: 'a queue of 200,000 jobs, removed',
    prepare: (caller) => addSmall(caller, WAITING),
    run: (caller) => caller.must('DELETE', '/queues/large?confirm=large'),
  },
];

function flowInManyQueues(): string {
  const children = Array.from({ length: MOST - 1 }, (_, position) => ({
    queue: `part-${position % (QUEUES - 1)}`,
    name: 'part',
    data: 1,
  }));
  return JSON.stringify({ queue: 'large', name: 'report', data: 1, children });
}

function cancelAll(caller: Caller): Promise<void> {
  const body = `{"all":true,"limit":${MOST}}`;
  return times(WAITING / MOST, () => caller.must('POST', '/queues/large/cancel', body));
}
