import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MAX_HEADERS } from '../../../src/domain/calls/endpoint-headers.ts';
import type { Attack } from '../attack.ts';
import type { Caller } from '../caller.ts';
import { MEGABYTE, several, times } from '../steps.ts';

const CLIENTS = 8;

/** A little more than what the service reads of an answer is refused; a little less is kept. */
const ANSWER = 'x'.repeat(MEGABYTE);

/** What is kept of the calls of a worker and of the attempts of a job. */
export const WORKERS: readonly Attack[] = [
  {
    name: '500 calls answered with 1 MB, and listed 160 times by eight clients',
    run: async (caller) => {
      const endpoint = createServer((call, response) => {
        call.resume();
        response.end(ANSWER);
      }).listen(0, '127.0.0.1');
      await once(endpoint, 'listening');
      const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
      const worker = { queue: 'called', endpoint: { url, method: 'post' } };
      await caller.must('POST', '/workers', JSON.stringify(worker));
      const jobs = Array.from({ length: 500 }, () => ({ name: 'job', data: 1 }));
      await caller.must('POST', '/queues/called/jobs', JSON.stringify(jobs));
      await several(CLIENTS, 160, () => caller.must('GET', '/workers/called/calls'));
      endpoint.closeAllConnections();
      endpoint.close();
    },
  },
  {
    name: 'a job that fails and is retried 200 times with a reason of 1 MB',
    run: async (caller) => {
      await caller.must('POST', '/queues/failing/jobs', '[{"name":"job","data":1}]');
      await times(200, () => failAndRetry(caller));
      await several(CLIENTS, 160, () => caller.must('GET', '/queues/failing/jobs/1/attempts'));
    },
  },
  {
    name: '10,000 workers with 8 kB of headers each by eight clients, and 200 changes of one',
    run: async (caller) => {
      await several(CLIENTS, 10_000, (n) => caller.must('POST', '/workers', largest(n)));
      await several(CLIENTS, 200, (n) => caller.must('POST', '/workers', largest(0, n)));
    },
  },
  {
    name: '1000 workers with 8 kB of headers each, listed 40 times by four clients',
    prepare: (caller) => several(CLIENTS, 1000, (n) => caller.must('POST', '/workers', largest(n))),
    run: (caller) => several(4, 40, () => caller.must('GET', '/workers?view=health&length=1000')),
  },
  {
    name: '1000 rotations of a signing secret by eight clients',
    prepare: (caller) =>
      caller.must(
        'POST',
        '/workers',
        '{"queue":"signed","endpoint":{"url":"http://127.0.0.1:9/","method":"post","signing":true}}',
      ),
    run: (caller) =>
      several(CLIENTS, 1000, () => caller.call('POST', '/workers/signed/rotate-secret')),
  },
];

/** A worker with as many characters of headers as one may have. */
function largest(queue: number, change = 0): string {
  const name = 'x-large';
  const headers = { [name]: 'x'.repeat(MAX_HEADERS - name.length) };
  const url = `http://127.0.0.1:9/${change}`;
  return JSON.stringify({
    queue: `large-${queue}`,
    endpoint: { url, method: 'post', headers },
  });
}

async function failAndRetry(caller: Caller): Promise<void> {
  const claims = await caller.read('POST', '/queues/failing/jobs/claim', '{}');
  const [{ token }] = claims as [{ token: string }];
  const failure = JSON.stringify({ reason: ANSWER, retry: false });
  const headers = { authorization: `Bearer ${token}` };
  await caller.call('POST', '/queues/failing/jobs/1/fail', failure, headers);
  await caller.must('POST', '/queues/failing/jobs/1/retry');
}
