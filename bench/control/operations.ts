import type { Target } from '../load.ts';
import { call } from '../service-calls.ts';
import { LARGE_QUEUE, type LARGE_QUEUES } from './large-queue.ts';

/** Calls of those that take a part of the queue at a time. */
const CALLS = 20;

/** Most jobs that one call of bulk repair takes. */
const LIMIT = 10_000;

/** What an operator does to a queue of a million jobs. */
export interface Operation {
  readonly name: string;
  /** @returns how many jobs it looked at or changed. */
  readonly run: (target: Target) => Promise<number>;
}

const QUEUE = `/queues/${LARGE_QUEUE}`;

async function ask<Answer>(
  target: Target,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await call(target, method, QUEUE + path, body);
  return (await response.json()) as Answer;
}

async function repair(target: Target, action: string): Promise<number> {
  let jobs = 0;
  for (let calls = 0; calls < CALLS; calls += 1) {
    const order = { all: true, limit: LIMIT };
    const { done } = await ask<{ done: number }>(target, 'POST', `/${action}`, order);
    jobs += done;
  }
  return jobs;
}

async function drain(target: Target, delayed: boolean): Promise<number> {
  const { removed } = await ask<{ removed: number }>(target, 'POST', '/drain', { delayed });
  return removed;
}

async function search(target: Target): Promise<number> {
  let [jobs, cursor] = [0, ''];
  for (let calls = 0; calls < CALLS; calls += 1) {
    const query = `statuses=failed&data=order:1${cursor && `&cursor=${cursor}`}`;
    const page = await ask<{ scanned: number; cursor: string }>(
      target,
      'GET',
      `/jobs/search?${query}`,
    );
    jobs += page.scanned;
    cursor = encodeURIComponent(page.cursor);
  }
  return jobs;
}

async function failures(target: Target): Promise<number> {
  const { window } = await ask<{ window: number }>(target, 'GET', `/failures?window=${LIMIT}`);
  return window;
}

async function remove(target: Target): Promise<number> {
  const path = `?confirm=${LARGE_QUEUE}`;
  const { removed } = await ask<{ removed: { jobs: number } }>(target, 'DELETE', path);
  return removed.jobs;
}

/** In turn, on a queue that is filled once for each state. The last of each empties it. */
export const OPERATIONS: Readonly<Record<keyof typeof LARGE_QUEUES, readonly Operation[]>> = {
  failed: [
    { name: 'causes of 10,000 failures', run: failures },
    { name: 'a search, 20 calls', run: search },
    { name: 'retry of 10,000 jobs, 20 calls', run: (target) => repair(target, 'retry') },
    { name: 'clean of 10,000 jobs, 20 calls', run: (target) => repair(target, 'clean') },
    { name: 'delete of the queue', run: remove },
  ],
  delayed: [
    { name: 'promote of 10,000 jobs, 20 calls', run: (target) => repair(target, 'promote') },
    { name: 'drain, delayed jobs too', run: (target) => drain(target, true) },
  ],
  waiting: [
    { name: 'cancel of 10,000 jobs, 20 calls', run: (target) => repair(target, 'cancel') },
    { name: 'drain', run: (target) => drain(target, false) },
  ],
};
