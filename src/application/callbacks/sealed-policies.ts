import type { Policy } from '../../domain/policies/policy.ts';
import { without } from '../../domain/values/without.ts';
import { invalidRequest } from '../../domain/errors.ts';
import type { PolicyScope, PolicyStorePort } from '../ports/policy-store-port.ts';
import type { Sealing } from '../secrets/sealing.ts';
import type { ScopedPolicy } from './callback-sealing.ts';

/**
 * The stored policies, whose secrets are encrypted when they are stored. They are read as they are stored: what a secret
 * is needed for decrypts it.
 */
export class SealedPolicies implements PolicyStorePort {
  readonly #kept: PolicyStorePort;
  readonly #sealing: Sealing<ScopedPolicy>;

  constructor(kept: PolicyStorePort, sealing: Sealing<ScopedPolicy>) {
    this.#kept = kept;
    this.#sealing = sealing;
  }

  async save(scope: PolicyScope, given: Policy): Promise<void> {
    const { policy } = this.#sealing.sealed({ scope, policy: given });
    await this.#kept.save(scope, await this.#withSecret(scope, policy));
  }

  remove(scope: PolicyScope): Promise<boolean> {
    return this.#kept.remove(scope);
  }

  find(scope: PolicyScope): Promise<Policy | undefined> {
    return this.#kept.find(scope);
  }

  all(): Promise<ReadonlyMap<PolicyScope, Policy>> {
    return this.#kept.all();
  }

  /** A policy that was read, and is stored again, keeps the secret that nobody can read. */
  async #withSecret(scope: PolicyScope, policy: Policy): Promise<Policy> {
    const { callbacks } = policy;
    if (callbacks?.signed === undefined) return policy;
    const rest = without(callbacks, 'signed');
    if (!callbacks.signed || callbacks.secret !== undefined) {
      return { ...policy, callbacks: rest };
    }
    const secret = (await this.#kept.find(scope))?.callbacks?.secret;
    if (secret === undefined) {
      const must = 'must come with a secret, since none is stored';
      throw invalidRequest(`callbacks.signed ${must}`, 'callbacks.signed');
    }
    return { ...policy, callbacks: { ...rest, secret } };
  }
}
