import { isStoreUnavailable, PublicCause, type DomainError } from '../../domain/errors.ts';
import type { StoreHealthPort } from '../ports/store-health-port.ts';

/** Whether a replica can do its work, and why not. */
export type Readiness =
  { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** The part of the fleet that readiness depends on. */
export interface FleetState {
  /** True once this replica has applied the record of workers, false again after a failed reconciliation. */
  readonly reconciled: boolean;
}

/** Answers the probes of the platform that runs the service. */
export class Health {
  readonly #store: Pick<StoreHealthPort, 'check'>;
  readonly #fleet: FleetState;
  /** The check in progress, shared by concurrent probes: there may be many, since they need no token. */
  #check: Promise<void> | undefined;
  #stopping = false;

  constructor(store: Pick<StoreHealthPort, 'check'>, fleet: FleetState) {
    this.#store = store;
    this.#fleet = fleet;
  }

  /** From now on the replica reports that it is not ready, so that it gets no new work. */
  markStopping(): void {
    this.#stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.#stopping) return { ready: false, reason: 'The service is shutting down' };
    try {
      await this.#checkStore();
    } catch (error) {
      if (isStoreUnavailable(error)) return { ready: false, reason: reasonOf(error) };
      throw error;
    }
    if (this.#fleet.reconciled) return { ready: true };
    return { ready: false, reason: 'The registered workers are not reconciled yet' };
  }

  #checkStore(): Promise<void> {
    this.#check ??= this.#store.check().finally(() => {
      this.#check = undefined;
    });
    return this.#check;
  }
}

function reasonOf({ cause }: DomainError): string {
  const reason = 'The store is unavailable';
  return cause instanceof PublicCause ? `${reason}: ${cause.message}` : reason;
}
