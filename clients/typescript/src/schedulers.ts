import type { Job, Scheduler, SchedulerInput } from './api.ts';
import type { SchedulersOptions } from './options.ts';
import { at, Routes } from './routes.ts';
import type { CallOptions } from './transport.ts';

/** The schedulers of a queue. */
export class Schedulers extends Routes {
  list(options?: SchedulersOptions) {
    return this.read<readonly Scheduler[]>('', options);
  }

  put(id: string, body: SchedulerInput, options?: CallOptions) {
    return this.ask<Scheduler>('PUT', at(id), { ...options, body });
  }

  get(id: string, options?: CallOptions) {
    return this.read<Scheduler>(at(id), options);
  }

  remove(id: string, options?: CallOptions) {
    return this.delete(at(id), options);
  }

  /** Adds its job now. */
  run(id: string, options?: CallOptions) {
    return this.send<Job>(`${at(id)}/run`, options);
  }

  pause(id: string, options?: CallOptions & { reason?: string }) {
    return this.send(`${at(id)}/pause`, options);
  }

  resume(id: string, options?: CallOptions) {
    return this.send(`${at(id)}/resume`, options);
  }
}
