import { MOST_FLOW_QUEUES } from '../../../src/domain/flows/flow.ts';
import type { Attack } from '../attack.ts';
import { JOBS, times } from '../steps.ts';

/** As many as one request may add. */
const MOST = 10_000;

function jobsWith(opts: (position: number) => object): string {
  return JSON.stringify(
    Array.from({ length: MOST }, (_, position) => ({ name: 'job', data: 1, opts: opts(position) })),
  );
}

/** A flow as large as one may be. */
function flowOf(child: (position: number) => object): string {
  const children = Array.from({ length: MOST - 1 }, (_, position) => {
    return { name: 'part', data: 1, ...child(position) };
  });
  return JSON.stringify({ queue: 'large', name: 'report', data: 1, children });
}

function grouped(position: number): object {
  return { group: { id: `group-${position}` } };
}

/** Each repeated often enough that those of a slow store would pile up. */
const ROUNDS = 20;

/** The largest adds and flows, of the kinds that cost the store most. */
export const LARGE_ADDS: readonly Attack[] = [
  {
    name: '10,000 plain jobs in an add, twenty times',
    body: () => jobsWith(() => ({})),
    run: (caller, body) => times(ROUNDS, () => caller.call('POST', JOBS, body)),
  },
  {
    name: '10,000 jobs in 10,000 groups in an add, twenty times',
    body: () => jobsWith(grouped),
    run: (caller, body) => times(ROUNDS, () => caller.call('POST', JOBS, body)),
  },
  {
    name: '10,000 deduplication ids in an add, twenty times',
    body: () => jobsWith((position) => ({ deduplication: { id: `id-${position}`, ttl: 1 } })),
    run: (caller, body) => times(ROUNDS, () => caller.call('POST', JOBS, body)),
  },
  {
    name: '10,000 jobs with ids in an add, twenty times',
    run: (caller) =>
      times(ROUNDS, (round) =>
        caller.call(
          'POST',
          JOBS,
          jobsWith((position) => ({ jobId: `job-${round}-${position}` })),
        ),
      ),
  },
  {
    name: '10,000 jobs in an add to a queue that is full, twenty times',
    prepare: (caller) => caller.must('PUT', '/queues/large/policy', '{"maxWaiting":10}'),
    body: () => jobsWith(() => ({})),
    run: (caller, body) => times(ROUNDS, () => caller.call('POST', JOBS, body)),
  },
  {
    name: 'a flow of 9,999 children in as many groups, ten times',
    body: () => flowOf((position) => ({ queue: 'large', opts: grouped(position) })),
    run: (caller, body) => times(ROUNDS / 2, () => caller.call('POST', '/flows', body)),
  },
  {
    name: 'a flow of 9,999 children in 100 queues, ten times',
    body: () => flowOf((position) => ({ queue: `large-${position % (MOST_FLOW_QUEUES - 1)}` })),
    run: (caller, body) => times(ROUNDS / 2, () => caller.call('POST', '/flows', body)),
  },
];
