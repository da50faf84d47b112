import type { JobCounts } from '../src/domain/jobs/job-status.ts';
import type { Target } from './load.ts';

/** A job as the bench adds it. */
export const jobInput = {
  name: 'mail',
  data: { to: 'someone@example.com', template: 'welcome', order: 4711 },
};

export interface WorkerOptions {
  readonly queue: string;
  /** The endpoint. */
  readonly url: string;
  readonly concurrency: number;
  /** Several jobs with one call. */
  readonly batch?: { readonly size: number };
  /** How many completed jobs stay; all unless given. */
  readonly kept?: number;
}

export async function registerWorker(target: Target, worker: WorkerOptions): Promise<void> {
  const { queue, url, concurrency, batch, kept } = worker;
  await call(target, 'POST', '/workers', {
    queue,
    endpoint: { url, method: 'post' },
    opts: {
      concurrency,
      ...(batch && { batch }),
      ...(kept !== undefined && { removeOnComplete: { count: kept } }),
    },
  });
}

export async function removeWorker(target: Target, queue: string): Promise<void> {
  await call(target, 'DELETE', `/workers/${queue}`);
}

/** @returns the ids of the jobs. */
export async function addJobs(target: Target, queue: string, size: number): Promise<string[]> {
  const inputs = Array.from({ length: size }, () => jobInput);
  const response = await call(target, 'POST', `/queues/${queue}/jobs`, inputs);
  return ((await response.json()) as { id: string }[]).map(({ id }) => id);
}

/** How many jobs a queue that has some holds, by status. */
export async function jobCounts(target: Target, queue: string): Promise<JobCounts> {
  const response = await call(target, 'GET', `/queues/${queue}/jobs?length=1`);
  return ((await response.json()) as { counts: JobCounts }).counts;
}

/** How many bytes a read answers with. */
export async function answerSize(target: Target, path: string): Promise<number> {
  const response = await call(target, 'GET', path);
  return (await response.arrayBuffer()).byteLength;
}

/** @throws Error unless the answer is a success. */
export async function call(
  { host, port, token }: Target,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const response = await fetch(`http://${host}:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(
      `${method} ${path} was answered with ${response.status}: ${await response.text()}`,
    );
  }
  return response;
}
