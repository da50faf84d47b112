/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import {
  ALL_QUEUES,
  type PolicyScope,
  type PolicyStorePort,
} from '../../../../application/ports/policy-store-port.ts';
import type { Policy } from '../../../../domain/policies/policy.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { createQueue } from '../../../../domain/transitions/queue-control.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** Policies in the memory of this process. Callers get copies, never the record. */
export class MemoryPolicyStore implements PolicyStorePort {
  readonly #store: MemoryStore;
  readonly #policies: KeyedRecords<Policy>;

  constructor(store: MemoryStore) {
    this.#store = store;
    this.#policies = store.records.map('policy');
  }

  async save(scope: PolicyScope, policy: Policy): Promise<void> {
    if (scope !== ALL_QUEUES) createQueue(this.#store.open(scope));
    this.#policies.put(scope, structuredClone(policy));
  }

  async remove(scope: PolicyScope): Promise<boolean> {
    return this.#policies.remove(scope);
  }

  async find(scope: PolicyScope): Promise<Policy | undefined> {
    return structuredClone(this.#policies.find(scope));
  }

  async all(): Promise<ReadonlyMap<PolicyScope, Policy>> {
    const scopes = [...this.#policies.ids()] as PolicyScope[];
    return new Map(
      scopes.map((scope) => [scope, structuredClone(this.#policies.find(scope)) as Policy]),
    );
  }
}
