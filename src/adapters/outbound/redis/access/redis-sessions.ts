import type {
  SessionChange,
  SessionStorePort,
} from '../../../../application/ports/session-store-port.ts';
import type { Session } from '../../../../domain/access/session.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { createSession, removeSession, replaceSession } from '../scripts/kept.ts';

/** Sessions by their digests, each in a key that expires, and the digests of each token's sessions in a hash. */
export class RedisSessions implements SessionStorePort {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async create(session: Session, life: number, most: number): Promise<void> {
    const { id, sha256: digest, createdAt: openedAt } = session;
    const record = JSON.stringify(session);
    const args = { id, digest, record, openedAt, base: this.#key(''), life, most };
    await this.#commands.call(createSession, this.#keysOf(session), args);
  }

  async find(sha256: string): Promise<Session | undefined> {
    return sessionOf(await this.#text(sha256));
  }

  async change(sha256: string, change: SessionChange): Promise<Session | undefined> {
    const key = { session: this.#key(sha256) };
    for (;;) {
      const before = await this.#text(sha256);
      const session = sessionOf(before);
      const changed = session && change(session);
      if (changed === undefined) return session;
      const records = { record: JSON.stringify(changed), before: before ?? '' };
      if (await this.#commands.call(replaceSession, key, records)) return changed;
    }
  }

  async ofHolder(holder: string): Promise<readonly Session[]> {
    const entries = await this.#commands.run((client) => client.hvals(this.#holderKey(holder)));
    if (entries.length === 0) return [];
    const keys = entries.map((entry) => this.#key(digestIn(entry)));
    const records = await this.#commands.run((client) => client.mget(...keys));
    return records.flatMap((record) => sessionOf(record) ?? []);
  }

  remove(session: Session): Promise<boolean> {
    return this.#commands.call(removeSession, this.#keysOf(session), { id: session.id });
  }

  #text(sha256: string): Promise<string | null> {
    return this.#commands.run((client) => client.get(this.#key(sha256)));
  }

  #keysOf({ sha256, holder }: Session) {
    return { session: this.#key(sha256), held: this.#holderKey(holder) };
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
