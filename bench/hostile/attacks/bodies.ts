import type { Attack } from '../attack.ts';
import type { Caller } from '../caller.ts';
import { JOBS, MEGABYTE, oneJob, times } from '../steps.ts';

function postThrice(caller: Caller, body: string): Promise<void> {
  return times(3, () => caller.call('POST', JOBS, body));
}

export const BODIES: readonly Attack[] = [
  {
    name: 'a body of 10 MB of opening brackets, three times',
    run: (caller) => times(3, () => caller.call('POST', JOBS, oneJob('['.repeat(9.9 * MEGABYTE)))),
  },
  {
    name: 'a body of 10 MB of small numbers, three times',
    body: () => oneJob(`[${'1e1,'.repeat(2.4 * MEGABYTE)}1]`),
    run: postThrice,
  },
  {
    name: 'a body of 800,000 keys, three times',
    body: () => {
      const keys = Array.from({ length: 800_000 }, (_, index) => `"k${index}":1`);
      return oneJob(`{${keys.join(',')}}`);
    },
    run: postThrice,
  },
  {
    name: 'a batch of 100,000 jobs, three times',
    body: () => JSON.stringify(Array.from({ length: 100_000 }, () => ({ name: 'job', data: 1 }))),
    run: postThrice,
  },
  {
    name: 'a batch of 10,000 jobs of 1 kB, three times',
    body: () => {
      const data = 'x'.repeat(970);
      return JSON.stringify(Array.from({ length: 10_000 }, () => ({ name: 'job', data })));
    },
    run: postThrice,
  },
  {
    name: '300 duplicates of one job of 5 MB in a batch, three times',
    prepare: (caller) =>
      caller.must(
        'POST',
        JOBS,
        `[{"name":"job","data":"${'x'.repeat(5 * MEGABYTE)}","opts":{"jobId":"same"}}]`,
      ),
    body: () => {
      const job = { name: 'job', data: 1, opts: { jobId: 'same' } };
      return JSON.stringify(Array.from({ length: 300 }, () => job));
    },
    run: postThrice,
  },
];
