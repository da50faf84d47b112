import { setTimeout as sleep } from 'node:timers/promises';
import type { JobCounts } from '../../src/domain/jobs/job-status.ts';
import { local, type Target } from '../load.ts';
import { ServerProcess } from '../server-process.ts';
import { addJobs, call, jobCounts } from '../service-calls.ts';

const BATCH = 1000;
/** Milliseconds between two looks at the counts. */
const INTERVAL = 20;

/** The endpoint of jobs of several steps, in a process of its own. */
export function startEndpoint(): Promise<ServerProcess> {
  return ServerProcess.start(['--import', 'tsx', 'bench/steps/endpoint.ts'], {});
}

/** A queue whose jobs have steps: what they do, the path of its endpoint says. */
export class SteppingQueue {
  readonly #target: Target;
  readonly #url: string;

  constructor(
    service: ServerProcess,
    endpoint: ServerProcess,
    readonly name: string,
    path: string,
  ) {
    this.#target = local(service);
    this.#url = `http://127.0.0.1:${endpoint.port}/${path}`;
  }

  async add(jobs: number): Promise<void> {
    for (let left = jobs; left > 0; left -= BATCH) {
      await addJobs(this.#target, this.name, Math.min(left, BATCH));
    }
  }

  async startWorker(concurrency: number): Promise<void> {
    await call(this.#target, 'POST', '/workers', {
      queue: this.name,
      endpoint: { url: this.#url, method: 'post', steps: true },
      opts: { concurrency },
    });
  }

  async stopWorker(): Promise<void> {
    await call(this.#target, 'DELETE', `/workers/${this.name}`);
  }

  /** Wakes the jobs that wait for `go`. @returns how many. */
  async signal(): Promise<number> {
    const answer = await call(this.#target, 'POST', `/queues/${this.name}/signals/go`);
    return ((await answer.json()) as { woken: number }).woken;
  }

  /** Resolves once so many jobs are in a state. @throws Error when one has failed. */
  async until(state: keyof JobCounts, jobs: number): Promise<void> {
    for (;;) {
      const counts = await jobCounts(this.#target, this.name);
      if (counts.failed > 0) throw new Error(`Jobs of ${this.name} have failed`);
      if (counts[state] >= jobs) return;
      await sleep(INTERVAL);
    }
  }

  async empty(): Promise<void> {
    await call(this.#target, 'DELETE', `/queues/${this.name}?confirm=${this.name}&force=true`);
  }
}
