import type { SessionStorePort } from '../../../../application/ports/session-store-port.ts';
import type { Session } from '../../../../domain/access/session.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';

const createSessionScript = luaScript('create-session');
const removeSessionScript = luaScript('remove-session');

/** Sessions by their digests, each in a key that expires, and the digests of each token's sessions in a set. */
export class RedisSessions implements SessionStorePort {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async create(session: Session, life: number): Promise<void> {
    const keys = [this.#key(session.sha256), this.#holderKey(session.holder)];
    const values = [session.sha256, JSON.stringify(session), String(life)];
    await this.#commands.scripts.run(createSessionScript, keys, values);
  }

  async find(sha256: string): Promise<Session | undefined> {
    const { client, errors } = this.#commands;
    return sessionOf(await errors.run(() => client.get(this.#key(sha256))));
  }

  async replace(session: Session): Promise<void> {
    const { client, errors } = this.#commands;
    const key = this.#key(session.sha256);
    await errors.run(() => client.call('SET', key, JSON.stringify(session), 'XX', 'KEEPTTL'));
  }

  async ofHolder(holder: string): Promise<readonly Session[]> {
    const { client, errors } = this.#commands;
    const digests = await errors.run(() => client.smembers(this.#holderKey(holder)));
    if (digests.length === 0) return [];
    const keys = digests.map((sha256) => this.#key(sha256));
    const records = await errors.run(() => client.mget(...keys));
    return records.flatMap((record) => sessionOf(record) ?? []);
  }

  async remove({ sha256, holder }: Session): Promise<boolean> {
    const keys = [this.#key(sha256), this.#holderKey(holder)];
    return (await this.#commands.scripts.run(removeSessionScript, keys, [sha256])) === 1;
  }

  #key(sha256: string): string {
    return ownKey(this.#prefix, `session:${sha256}`);
  }

  #holderKey(holder: string): string {
    return ownKey(this.#prefix, `sessions:${holder}`);
  }
}

function sessionOf(record: string | null | undefined): Session | undefined {
  return record == null ? undefined : (JSON.parse(record) as Session);
}
