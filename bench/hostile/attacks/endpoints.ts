import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { request } from 'undici';
import type { Attack } from '../attack.ts';
import type { Caller } from '../caller.ts';
import { MEGABYTE } from '../steps.ts';

const CALLS = 200;
const ROUNDS = 3;

/** Answers that many calls at once, time and again, until all their jobs have ended. */
async function answerAllAtOnce(caller: Caller, answer: Buffer): Promise<void> {
  const held: ServerResponse[] = [];
  const endpoint = createServer((call, response) => {
    call.resume();
    held.push(response);
    if (held.length < CALLS) return;
    for (const each of held.splice(0)) {
      each.writeHead(200, { 'content-encoding': 'br' }).end(answer);
    }
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  const worker = {
    queue: 'bombs',
    endpoint: { url, method: 'post' },
    opts: { concurrency: CALLS },
  };
  await caller.must('POST', '/workers', JSON.stringify(worker));
  const jobs = Array.from({ length: CALLS * ROUNDS }, () => ({ name: 'bomb', data: 1 }));
  await caller.must('POST', '/queues/bombs/jobs', JSON.stringify(jobs));
  while ((await failedJobs(caller)) < jobs.length) await setTimeout(50);
  endpoint.closeAllConnections();
  endpoint.close();
}

async function failedJobs({ target: { host, port, token } }: Caller): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await request(`http://${host}:${port}/queues/bombs`, { headers });
  const { counts } = (await body.json()) as { counts: { failed: number } };
  return counts.failed;
}

export const ENDPOINTS: readonly Attack[] = [
  {
    name: '200 calls answered by a Brotli bomb of 200 MB, three times',
    run: (caller) => answerAllAtOnce(caller, brotliCompressSync(Buffer.alloc(200 * MEGABYTE))),
  },
];
