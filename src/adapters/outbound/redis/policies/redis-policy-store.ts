import {
  ALL_QUEUES,
  type PolicyScope,
  type PolicyStorePort,
} from '../../../../application/ports/policy-store-port.ts';
import { policyShape, type Policy } from '../../../../domain/policies/policy.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { luaScript } from '../lua/load.ts';

const savePolicyScript = luaScript('save-policy');

/** Policies in one hash, with a field for each queue and an unnamed one for all queues. */
export class RedisPolicyStore implements PolicyStorePort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #policies: string;

  constructor(commands: StoreCommands, keys: QueueKeysCache, prefix: string) {
    this.#commands = commands;
    this.#keys = keys;
    this.#policies = ownKey(prefix, 'policies');
  }

  async save(scope: PolicyScope, policy: Policy): Promise<void> {
    const { client, errors, scripts } = this.#commands;
    const record = JSON.stringify(policy);
    if (scope === ALL_QUEUES) {
      await errors.run(() => client.hset(this.#policies, scope, record));
      return;
    }
    const { meta, registry } = this.#keys.get(scope);
    await scripts.run(savePolicyScript, [this.#policies, meta, registry], [scope, record]);
  }

  async remove(scope: PolicyScope): Promise<boolean> {
    const { client, errors } = this.#commands;
    return (await errors.run(() => client.hdel(this.#policies, scope))) === 1;
  }

  async find(scope: PolicyScope): Promise<Policy | undefined> {
    const { client, errors } = this.#commands;
    const record = await errors.run(() => client.hget(this.#policies, scope));
    return record === null ? undefined : policyOf(record);
  }

  async all(): Promise<ReadonlyMap<PolicyScope, Policy>> {
    const { client, errors } = this.#commands;
    const records = await errors.run(() => client.hgetall(this.#policies));
    const policies = new Map<PolicyScope, Policy>();
    for (const [scope, record] of Object.entries(records)) {
      const policy = policyOf(record);
      if (policy !== undefined) policies.set(scope as PolicyScope, policy);
    }
    return policies;
  }
}

/** Undefined for a record that another program or version wrote. */
function policyOf(record: string): Policy | undefined {
  try {
    const policy: unknown = JSON.parse(record);
    return policyShape.accepts(policy) ? policy : undefined;
  } catch {
    return undefined;
  }
}
