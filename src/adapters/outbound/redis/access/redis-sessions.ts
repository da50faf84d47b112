import type { SessionStorePort } from '../../../../application/ports/session-store-port.ts';
import type { Session } from '../../../../domain/access/session.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';

const createSessionScript = luaScript('kept/create-session');
const removeSessionScript = luaScript('kept/remove-session');

/** Sessions by their digests, each in a key that expires, and the digests of each token's sessions in a hash. */
export class RedisSessions implements SessionStorePort {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async create(session: Session, life: number, most: number): Promise<void> {
    const { id, sha256, holder, createdAt } = session;
    const keys = [this.#key(sha256), this.#holderKey(holder)];
    const values = [id, sha256, JSON.stringify(session), createdAt, life, most, this.#key('')];
    await this.#commands.scripts.run(createSessionScript, keys, values);
  }

  async find(sha256: string): Promise<Session | undefined> {
    const { client, errors } = this.#commands;
    return sessionOf(await errors.run(() => client.get(this.#key(sha256))));
  }

  async findOf(holder: string, id: string): Promise<Session | undefined> {
    const { client, errors } = this.#commands;
    const entry = await errors.run(() => client.hget(this.#holderKey(holder), id));
    return entry === null ? undefined : this.find(digestIn(entry));
  }

  async replace(session: Session): Promise<void> {
    const { client, errors } = this.#commands;
    const key = this.#key(session.sha256);
    await errors.run(() => client.call('SET', key, JSON.stringify(session), 'XX', 'KEEPTTL'));
  }

  async ofHolder(holder: string): Promise<readonly Session[]> {
    const { client, errors } = this.#commands;
    const entries = await errors.run(() => client.hvals(this.#holderKey(holder)));
    if (entries.length === 0) return [];
    const keys = entries.map((entry) => this.#key(digestIn(entry)));
    const records = await errors.run(() => client.mget(...keys));
    return records.flatMap((record) => sessionOf(record) ?? []);
  }

  async remove({ id, sha256, holder }: Session): Promise<boolean> {
    const keys = [this.#key(sha256), this.#holderKey(holder)];
    return (await this.#commands.scripts.run(removeSessionScript, keys, [id])) === 1;
  }

  #key(sha256: string): string {
    return ownKey(this.#prefix, `session:${sha256}`);
  }

  #holderKey(holder: string): string {
    return ownKey(this.#prefix, `sessions-of:${holder}`);
  }
}

/** An entry of a token's hash holds when the session was opened, and its digest. */
function digestIn(entry: string): string {
  return entry.slice(entry.indexOf(' ') + 1);
}

function sessionOf(record: string | null | undefined): Session | undefined {
  return record == null ? undefined : (JSON.parse(record) as Session);
}
