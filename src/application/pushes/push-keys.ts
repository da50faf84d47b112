import { DomainError } from '../../domain/errors.ts';
import { PUSH_KEYS_ID, SECRETS_OF_PUSH_KEYS, type KeptPushKeys } from '../kept/push-keys.ts';
import type { PushKeyPair } from '../ports/push-format-port.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';
import type { TokenPort } from '../ports/token-port.ts';
import { Sealing } from '../secrets/sealing.ts';

export interface PushKeysDependencies {
  readonly pushKeys: KeptPushKeys;
  readonly cipher: SecretCipherPort;
  readonly tokens: TokenPort;
}

/** The keys that sign pushed messages: those of the configuration, or else drawn once for all replicas and kept. */
export class PushKeys {
  readonly #kept: KeptPushKeys;
  readonly #sealing: Sealing<PushKeyPair>;
  readonly #tokens: TokenPort;
  #known: PushKeyPair | undefined;

  constructor({ pushKeys, cipher, tokens }: PushKeysDependencies, given: PushKeyPair | undefined) {
    this.#kept = pushKeys;
    this.#sealing = new Sealing(cipher, SECRETS_OF_PUSH_KEYS);
    this.#tokens = tokens;
    this.#known = given;
  }

  /** @throws DomainError `no-encryption-key` for keys that cannot be decrypted here, or `store-unavailable`. */
  async read(): Promise<PushKeyPair> {
    this.#known ??= await this.#opened();
    return this.#known;
  }

  async #opened(): Promise<PushKeyPair> {
    const drawn = { current: this.#draw(), next: this.#draw() };
    const fresh = this.#sealing.sealed(drawn, PUSH_KEYS_ID);
    const kept = (await this.#kept.put(PUSH_KEYS_ID, (before) => before ?? fresh)) ?? fresh;
    if (this.#sealing.unreadable(kept, PUSH_KEYS_ID) !== undefined) {
      throw new DomainError('no-encryption-key', 'The signing keys cannot be decrypted here');
    }
    return this.#sealing.opened(kept, PUSH_KEYS_ID);
  }

  #draw(): string {
    return `sig_${this.#tokens.draw()}`;
  }
}
