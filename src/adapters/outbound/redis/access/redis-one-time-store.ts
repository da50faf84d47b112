import { createHash } from 'node:crypto';
import type {
  OneTimeBounds,
  OneTimeStorePort,
} from '../../../../application/ports/one-time-store-port.ts';
import { parsedJson } from '../../../../domain/values/json.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { saveOneTime } from '../scripts/kept.ts';

/** Secrets by their digests, each in a key that expires. */
export class RedisOneTimeStore<Content> implements OneTimeStorePort<Content> {
  readonly #commands: StoreCommands;
  readonly #prefix: string;
  readonly #kind: string;

  /** @param kind what the secrets are, as a part of their keys. */
  constructor(commands: StoreCommands, prefix: string, kind: string) {
    this.#commands = commands;
    this.#prefix = prefix;
    this.#kind = kind;
  }

  async save(secret: string, content: Content, bounds: OneTimeBounds): Promise<void> {
    const { owner, life, most } = bounds;
    const secrets = ownKey(this.#prefix, `${this.#kind}s:${owner}`);
    const keys = { secret: this.#key(secret), secrets };
    const args = { content: JSON.stringify(content), life, most };
    await this.#commands.call(saveOneTime, keys, args);
  }

  async take(secret: string): Promise<Content | undefined> {
    const content = await this.#commands.run((client) => client.getdel(this.#key(secret)));
    // A value that this version cannot read counts as expired.
    return content === null ? undefined : (parsedJson(content) as Content | undefined);
  }

  #key(secret: string): string {
    const digest = createHash('sha256').update(secret).digest('base64url');
    return ownKey(this.#prefix, `${this.#kind}:${digest}`);
  }
}
