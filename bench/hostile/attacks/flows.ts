import type { Attack } from '../attack.ts';
import type { Caller } from '../caller.ts';
import { several } from '../steps.ts';

/** As many as a flow may have below its first job. */
const CHILDREN = 9999;
const CLIENTS = 8;

const PARENT = '/queues/parents/jobs/parent';

/** Reads of a parent whose children are as many as a flow may have, and have all failed. */
export const FLOWS: readonly Attack[] = [
  {
    name: 'a parent of 9,999 failed children, asked 200 times by eight clients why it is blocked',
    prepare: failChildren,
    run: (caller) => several(CLIENTS, 200, () => caller.must('GET', `${PARENT}/blocked`)),
  },
  {
    name: '9,999 failed children, read eight times as a list, a tree and causes by eight clients',
    prepare: failChildren,
    run: async (caller) => {
      for (const path of READS) await several(CLIENTS, 8, () => caller.must('GET', path));
    },
  },
];

const READS = [
  `${PARENT}/children?length=10000`,
  '/flows/parents/parent',
  '/queues/children/failures?window=10000',
];

async function failChildren(caller: Caller): Promise<void> {
  const child = { queue: 'children', name: 'child', data: 1 };
  const flow = {
    queue: 'parents',
    name: 'parent',
    data: 1,
    opts: { jobId: 'parent' },
    children: Array.from({ length: CHILDREN }, () => child),
  };
  await caller.must('POST', '/flows', JSON.stringify(flow));
  await caller.must('POST', '/queues/children/cancel', '{"all":true,"limit":10000}');
}
