import type {
  QuotaLease,
  QuotaPort,
  WantedLease,
} from '../../../../application/ports/quota-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { leaseQuota } from '../scripts/kept.ts';

/** How much of each quota is leased out, in a key that expires when the quota is whole again. */
export class RedisQuotas implements QuotaPort {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async lease(key: string, quota: WantedLease): Promise<QuotaLease> {
    const leased = ownKey(this.#prefix, `quota:${key}`);
    const [granted, left, endsIn] = await this.#commands.call(leaseQuota, { leased }, quota);
    return { granted, left, endsIn };
  }
}
