import type { Policy as PolicyState, PolicyInput } from './api.ts';
import { Routes } from './routes.ts';
import type { CallOptions } from './transport.ts';

/** The policy of a queue. */
export class Policy extends Routes {
  get(options?: CallOptions) {
    return this.read<PolicyState>('', options);
  }

  put(body: PolicyInput, options?: CallOptions) {
    return this.ask<PolicyState>('PUT', '', { ...options, body });
  }

  remove(options?: CallOptions) {
    return this.delete('', options);
  }
}
