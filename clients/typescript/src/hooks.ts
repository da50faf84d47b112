import type {
  Hook,
  HookDeliveries,
  HookInput,
  Hooks as HooksPage,
  SavedHook,
  Secret,
  WorkerTestReport,
} from './api.ts';
import { at, Routes } from './routes.ts';
import type { CallOptions } from './transport.ts';

/** Where jobgate says that something is wrong, that it is over, and that jobs ended. */
export class Hooks extends Routes {
  list(options?: CallOptions) {
    return this.read<HooksPage>('', options);
  }

  /** Replaces any other of the id. The secret is returned only when it is new. */
  put(id: string, body: HookInput, options?: CallOptions) {
    return this.ask<SavedHook>('PUT', at(id), { ...options, body });
  }

  get(id: string, options?: CallOptions) {
    return this.read<Hook>(at(id), options);
  }

  remove(id: string, options?: CallOptions) {
    return this.delete(at(id), options);
  }

  rotateSecret(id: string, options?: CallOptions) {
    return this.send<Secret>(`${at(id)}/rotate-secret`, options);
  }

  /** Sends one message at once. */
  test(id: string, options?: CallOptions) {
    return this.send<WorkerTestReport>(`${at(id)}/test`, options);
  }

  /** The newest first. */
  deliveries(id: string, options?: CallOptions & { length?: number }) {
    return this.read<HookDeliveries>(`${at(id)}/deliveries`, options);
  }

  /** Sends a message again, with its id. */
  resend(id: string, delivery: string, options?: CallOptions) {
    return this.send(`${at(id)}/deliveries${at(delivery)}/resend`, options);
  }
}
