import type { Secret, WorkerHealth, WorkerInput, WorkersHealth, WorkerTestReport } from './api.ts';
import type { WorkersOptions } from './options.ts';
import { at, Routes } from './routes.ts';
import type { CallOptions } from './transport.ts';

/** The endpoints that jobgate calls, one per queue. */
export class Workers extends Routes {
  list(options: WorkersOptions & { view: 'health' }): Promise<WorkersHealth>;
  list(options?: CallOptions): Promise<Record<string, string>>;
  list(options?: WorkersOptions): Promise<unknown> {
    return this.read('', options);
  }

  /** Returns the secret if the endpoint asks for signed calls and is new, or else an empty object. */
  async register(worker: WorkerInput, options?: CallOptions): Promise<Partial<Secret>> {
    const answer = await this.send('', { ...worker, ...options });
    return typeof answer === 'object' && answer !== null ? answer : {};
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
