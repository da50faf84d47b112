import type {
  QuotaLease,
  QuotaPort,
  WantedLease,
} from '../../../../application/ports/quota-port.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';

const leaseQuotaScript = luaScript('kept/lease-quota');

/** How much of each quota is leased out, in a key that expires when the quota is whole again. */
export class RedisQuotas implements QuotaPort {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async lease(key: string, { wanted, needed, max, duration }: WantedLease): Promise<QuotaLease> {
    const answer = await this.#commands.scripts.run(
      leaseQuotaScript,
      [ownKey(this.#prefix, `quota:${key}`)],
      [wanted, needed, max, duration].map(String),
    );
    const [granted = 0, left = 0, endsIn = 0] = answer as number[];
    return { granted, left, endsIn };
  }
}
