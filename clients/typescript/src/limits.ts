import type { Limit, LimitSettingsInput, Limits as LimitsPage, QueuesAtLimit } from './api.ts';
import { at, Routes } from './routes.ts';
import type { CallOptions } from './transport.ts';

/** The limits that queues share. */
export class Limits extends Routes {
  list(options?: CallOptions) {
    return this.read<LimitsPage>('', options);
  }

  /** Replaces any other of the name. */
  put(name: string, body: LimitSettingsInput, options?: CallOptions) {
    return this.ask<Limit>('PUT', at(name), { ...options, body });
  }

  get(name: string, options?: CallOptions) {
    return this.read<Limit>(at(name), options);
  }

  /** The queues that run calls under the limit, or wait for room. */
  queues(name: string, options?: CallOptions) {
    return this.read<QueuesAtLimit>(`${at(name)}/queues`, options);
  }

  remove(name: string, options?: CallOptions) {
    return this.delete(at(name), options);
  }
}
