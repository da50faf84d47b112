import type { Attack } from '../attack.ts';
import { oneJob, several } from '../steps.ts';

/** As many as a sorted list looks at. */
const QUEUES = 10_000;
const CLIENTS = 8;
const SORTS = ['name', 'waiting', 'oldest', 'rate'];

/** What many queues cost, and what a queue has once. */
export const QUEUED: readonly Attack[] = [
  {
    name: '10,000 queues of a job each, listed 40 times by eight clients',
    prepare: (caller) =>
      several(CLIENTS, QUEUES, (n) => caller.must('POST', jobsOf(n), oneJob('1'))),
    run: (caller) =>
      several(CLIENTS, 40, (n) => {
        const sort = SORTS[n % SORTS.length] ?? '';
        return caller.must('GET', `/queues?view=figures&length=1000&sort=${sort}`);
      }),
  },
  {
    name: '1000 policies, 1000 holds and 1000 pauses of as many queues',
    run: async (caller) => {
      for (const [method, path, body] of CHANGES) {
        await several(CLIENTS, 1000, (n) => caller.call(method, `/queues/of-${n}${path}`, body));
      }
    },
  },
];

const CHANGES = [
  ['PUT', '/policy', '{"maxWaiting":1000}'],
  ['POST', '/hold', '{"for":60000}'],
  ['POST', '/pause', ''],
] as const;

function jobsOf(queue: number): string {
  return `/queues/queue-${queue}/jobs`;
}
