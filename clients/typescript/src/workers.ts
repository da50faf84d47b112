import type {
  ChangedWorker,
  Secret,
  WorkerChangeInput,
  WorkerHealth,
  WorkerInput,
  WorkersHealth,
  WorkerTestReport,
} from './api.ts';
import type { WorkersOptions } from './options.ts';
import { at, Routes } from './routes.ts';
import type { CallOptions } from './transport.ts';

const KEPT_SECRET = 'The worker keeps its secret; rotateSecret(queue) returns a new one';

/** What a registration returns, apart from its success. */
export interface Registration extends Partial<Secret> {
  /** Why there is no secret although the calls are signed, and how to get one. */
  readonly note?: string;
}

/** The endpoints that jobgate calls, one per queue. */
export class Workers extends Routes {
  list(options: WorkersOptions & { view: 'health' }): Promise<WorkersHealth>;
  list(options?: CallOptions): Promise<Record<string, string | null>>;
  list(options?: WorkersOptions): Promise<unknown> {
    return this.read('', options);
  }

  /** Returns the secret if the calls were not signed before. A worker that keeps its secret gets a note instead. */
  async register(worker: WorkerInput, options?: CallOptions): Promise<Registration> {
    const answer = await this.send('', { ...worker, ...options });
    if (typeof answer === 'object' && answer !== null) return answer;
    return worker.endpoint.signing === true ? { note: KEPT_SECRET } : {};
  }

  /** Changes what it names, and null removes a field; a new secret is returned only this once. */
  change(queue: string, change: WorkerChangeInput, options?: CallOptions) {
    return this.ask<ChangedWorker>('PATCH', at(queue), { ...options, body: change });
  }

  remove(queue: string, options?: CallOptions) {
    return this.delete(at(queue), options);
  }

  health(queue: string, options?: CallOptions) {
    return this.read<WorkerHealth>(`${at(queue)}/health`, options);
  }

  /** Calls the endpoint once, with a job that belongs to no queue. */
  test(queue: string, options?: CallOptions & { name?: string; data?: unknown }) {
    return this.send<WorkerTestReport>(`${at(queue)}/test`, options);
  }

  rotateSecret(queue: string, options?: CallOptions) {
    return this.send<Secret>(`${at(queue)}/rotate-secret`, options);
  }

  enable(queue: string, options?: CallOptions) {
    return this.send(`${at(queue)}/enable`, options);
  }

  disable(queue: string, options?: CallOptions & { reason?: string }) {
    return this.send(`${at(queue)}/disable`, options);
  }
}
