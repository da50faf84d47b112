import type { Attack } from '../attack.ts';
import { oneJob, several } from '../steps.ts';

/** As many as a sorted list looks at. */
const QUEUES = 10_000;
const CLIENTS = 8;
const SORTS = ['name', 'waiting', 'oldest', 'rate'];

const WORKERS = 100;

/** Characters of the headers of a worker: about as many as a registration may have. */
const HEADERS = 250_000;

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
    name: '100 workers with 250 kB of headers each, listed by four clients',
    body: () => 'x'.repeat(16_000),
    run: async (caller, value) => {
      await several(4, WORKERS, (n) => caller.call('POST', '/workers', worker(n, value)));
      await several(4, 40, () => caller.call('GET', '/workers?view=health&length=1000'));
    },
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

function worker(queue: number, value: string): string {
  const names = Array.from({ length: Math.floor(HEADERS / value.length) }, (_, n) => `x-${n}`);
  return JSON.stringify({
    queue: `queue-${queue}`,
    endpoint: {
      url: 'http://127.0.0.1:9/',
      method: 'post',
      headers: Object.fromEntries(names.map((name) => [name, value])),
    },
  });
}
