import type { Attack } from '../attack.ts';
import { addSmall, JOBS } from '../steps.ts';

const WAITING = 400_000;

/** Most ids that one request may name. */
const IDS = 1000;

/** Ids of jobs in the middle of the waiting list: those of the queue count up from 1. */
function deepIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(WAITING / 2 + index));
}

const QUEUE = '/queues/large';

export const CANCEL: readonly Attack[] = [
  {
    name: '1000 ids cancelled deep in a waiting list of 400,000',
    prepare: (caller) => addSmall(caller, WAITING),
    body: () => JSON.stringify({ filter: { ids: deepIds(IDS) } }),
    run: (caller, body) => caller.call('POST', `${QUEUE}/cancel`, body),
  },
  {
    name: '1000 ids removed that lie all over a waiting list of 400,000',
    prepare: (caller) => addSmall(caller, WAITING),
    body: () => {
      const step = WAITING / IDS;
      const ids = Array.from({ length: IDS }, (_, index) => String(1 + index * step));
      return JSON.stringify({ filter: { ids } });
    },
    run: (caller, body) => caller.call('POST', `${QUEUE}/clean`, body),
  },
  {
    name: '200 cancellations at once, each deep in a waiting list of 400,000',
    prepare: (caller) => addSmall(caller, WAITING),
    run: (caller) =>
      Promise.all(deepIds(200).map((id) => caller.call('POST', `${JOBS}/${id}/cancel`))),
  },
];
