import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Caller } from './caller.ts';

/** What one client does that could take the service away from the others. */
export interface Attack {
  readonly name: string;
  /** What has to be there before. */
  readonly prepare?: (caller: Caller) => Promise<void>;
  /** What is sent: made beforehand, since the neighbour is measured in the same process. */
  readonly body?: () => string;
  readonly run: (caller: Caller, body: string) => Promise<unknown>;
}

const MEGABYTE = 1_000_000;
const JOBS = '/queues/large/jobs';

function oneJob(data: string): string {
  return `[{"name":"job","data":${data}}]`;
}

async function addLarge(caller: Caller, count: number, size: number): Promise<void> {
  const body = oneJob(`"${'x'.repeat(size)}"`);
  for (let added = 0; added < count; added += 1) await caller.must('POST', JOBS, body);
}

async function addSmall(caller: Caller, count: number): Promise<void> {
  const body = JSON.stringify(Array.from({ length: 10_000 }, () => ({ name: 'job', data: 1 })));
  for (let added = 0; added < count; added += 10_000) await caller.must('POST', JOBS, body);
}

/** Registers an endpoint that never answers, and calls `use` with the path and token of its job. */
async function whileRunning(
  caller: Caller,
  use: (path: string, token: string) => Promise<void>,
): Promise<void> {
  const endpoint = createServer().listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  const called = once(endpoint, 'request');
  const worker = { queue: 'running', endpoint: { url, method: 'post' } };
  await caller.must('POST', '/workers', JSON.stringify(worker));
  await caller.must('POST', '/queues/running/jobs', oneJob('1'));
  const [call] = (await called) as [NodeJS.ReadableStream];
  const { job, token } = (await json(call)) as { job: { id: string }; token: string };
  await use(`/queues/running/jobs/${job.id}`, token);
  endpoint.closeAllConnections();
  endpoint.close();
}

async function times(count: number, act: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await act();
}

function postThrice(caller: Caller, body: string): Promise<void> {
  return times(3, () => caller.call('POST', JOBS, body));
}

export const ATTACKS: readonly Attack[] = [
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
    name: 'a page of 60,000 jobs, three times',
    prepare: (caller) => addSmall(caller, 60_000),
    run: (caller) => times(3, () => caller.call('GET', `${JOBS}?length=60000`)),
  },
  {
    name: 'a page of 1000 jobs, thirty times',
    prepare: (caller) => addSmall(caller, 60_000),
    run: (caller) => times(30, () => caller.call('GET', `${JOBS}?length=1000`)),
  },
  {
    name: 'a page of ten jobs of 9.9 MB, three times',
    prepare: (caller) => addLarge(caller, 10, 9.9 * MEGABYTE),
    run: (caller) => times(3, () => caller.call('GET', JOBS)),
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
  {
    name: 'five connections that pipeline 21 MB of readiness probes',
    run: (caller) => {
      const probe = 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const bytes = Buffer.from(probe.repeat(Math.ceil((21 * MEGABYTE) / probe.length)));
      return Promise.all(Array.from({ length: 5 }, () => caller.flood(bytes, 8000)));
    },
  },
  {
    name: '80 progress reports of 9.9 MB by a job token',
    run: (caller) =>
      whileRunning(caller, (path, token) => {
        const body = `"${'x'.repeat(9.9 * MEGABYTE)}"`;
        return times(80, () => caller.call('POST', `${path}/progress`, body, token));
      }),
  },
  {
    name: '40 log lines of 9.9 MB by a job token, then read',
    run: (caller) =>
      whileRunning(caller, async (path, token) => {
        const line = 'x'.repeat(9.9 * MEGABYTE);
        await times(40, () => caller.call('POST', `${path}/logs`, line, token));
        await times(3, () => caller.call('GET', `${path}/logs?length=1000`));
      }),
  },
];
