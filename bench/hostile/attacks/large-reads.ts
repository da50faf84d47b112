import type { Attack } from '../attack.ts';
import { withToken, type Caller } from '../caller.ts';
import { atOnce, JOBS, MEGABYTE, oneJob, times } from '../steps.ts';

const CHILDREN = 500;
const SEARCHED = 540;
const SEARCHES = 8;

const FLOW = '/flows/parents/parent';
const TEXT = 'x'.repeat(MEGABYTE);

/** A large value that a search by `data` can look into. */
const LARGE = `{"customer":{"id":17},"text":"${TEXT}"}`;

/** Reads of many jobs that are large themselves. */
export const LARGE_READS: readonly Attack[] = [
  {
    name: 'a flow of 500 children of 1 MB, read four times at once',
    prepare: addLargeFlow,
    run: (caller) => atOnce(4, () => caller.call('GET', FLOW)),
  },
  {
    name: 'the children of a job that returned 1 MB each, 500 of them, read four times at once',
    prepare: endLargeChildren,
    run: (caller) => atOnce(4, () => caller.call('GET', '/queues/parents/jobs/parent/children')),
  },
  {
    name: 'eight searches by data that find none of 540 jobs of 1 MB',
    prepare: addSearched,
    run: (caller) => searchAtOnce(caller, 18),
  },
  {
    name: 'eight searches by data that find 100 of 540 jobs of 1 MB',
    prepare: addSearched,
    run: (caller) => searchAtOnce(caller, 17),
  },
];

/** A request may not be as large as all of the children, so each becomes large by itself. */
async function addLargeFlow(caller: Caller): Promise<void> {
  await addFlow(caller);
  for (const id of childIds()) {
    await caller.must('PATCH', `/queues/children/jobs/${id}`, `{"data":${LARGE}}`);
  }
}

async function endLargeChildren(caller: Caller): Promise<void> {
  await addFlow(caller);
  const returned = JSON.stringify('x'.repeat(MEGABYTE - 2));
  for (let ended = 0; ended < CHILDREN; ended += 1) {
    const claims = await caller.read('POST', '/queues/children/jobs/claim', '{}');
    const [{ job, token }] = claims as [{ job: { id: string }; token: string }];
    const path = `/queues/children/jobs/${job.id}/complete`;
    await caller.must('POST', path, returned, withToken(token));
  }
}

async function addFlow(caller: Caller): Promise<void> {
  const child = (jobId: string) => ({ queue: 'children', name: 'child', data: 1, opts: { jobId } });
  const children = childIds().map(child);
  const flow = { queue: 'parents', name: 'parent', data: 1, opts: { jobId: 'parent' }, children };
  await caller.must('POST', '/flows', JSON.stringify(flow));
}

function childIds(): readonly string[] {
  return Array.from({ length: CHILDREN }, (_, index) => `child-${index}`);
}

function addSearched(caller: Caller): Promise<void> {
  return times(SEARCHED, () => caller.must('POST', JOBS, oneJob(LARGE)));
}

function searchAtOnce(caller: Caller, customer: number): Promise<unknown> {
  const path = `${JOBS}/search?data=customer.id:${customer}&length=100`;
  return atOnce(SEARCHES, () => caller.call('GET', path));
}
