import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Caller } from './caller.ts';

export const MEGABYTE = 1_000_000;

/** The queue that most attacks use. */
export const JOBS = '/queues/large/jobs';

export function oneJob(data: string): string {
  return `[{"name":"job","data":${data}}]`;
}

export async function addLarge(caller: Caller, count: number, size: number): Promise<void> {
  const body = oneJob(`"${'x'.repeat(size)}"`);
  for (let added = 0; added < count; added += 1) await caller.must('POST', JOBS, body);
}

export async function addSmall(caller: Caller, count: number, path = JOBS): Promise<void> {
  const body = JSON.stringify(Array.from({ length: 10_000 }, () => ({ name: 'job', data: 1 })));
  for (let added = 0; added < count; added += 10_000) await caller.must('POST', path, body);
}

/** Registers an endpoint that never answers, and calls `use` with the path and token of its job. */
export async function whileRunning(
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

/** Acts `count` times, one after the other. */
export function times(count: number, act: (number: number) => Promise<unknown>): Promise<void> {
  return several(1, count, act);
}

/** Acts `count` times, `together` at once. */
export async function several(
  together: number,
  count: number,
  act: (number: number) => Promise<unknown>,
): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const work = async (): Promise<void> => {
    for (const number of numbers) await act(number);
  };
  await Promise.all(Array.from({ length: together }, work));
}

export function atOnce(count: number, act: () => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, act));
}
