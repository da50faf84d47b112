import { isStoreUnavailable } from '../../domain/errors.ts';
import type { KeptKeyChecks } from '../kept/key-checks.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';
import type { Startable } from '../running/startable.ts';
import { untilStoreAnswers } from '../running/until-store-answers.ts';
import type { KeptSecrets } from './kept-secrets.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

/** The place of check values, which no secret of a record can have. */
const PLACE = ['encryption-key'];

export interface EncryptionKeysDependencies extends Pick<CommonPorts, 'clock' | 'logger'> {
  readonly cipher: SecretCipherPort;
  readonly checks: KeptKeyChecks;
  readonly kept: readonly KeptSecrets[];
}

/**
 * Recognizes each encryption key by a value that the service encrypts with it when it first sees the key. A secret of a
 * record is no evidence against a key: whoever can write to the store can spoil one.
 */
export class EncryptionKeys implements Startable {
  readonly name = 'encryption keys';
  readonly #dependencies: EncryptionKeysDependencies;
  #isStopped = false;

  constructor(dependencies: EncryptionKeysDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Checks all keys. It does not wait while the store is away: the keys are then checked once the store is available,
   * and a wrong key ends the service like any unhandled error.
   *
   * @throws Error naming a key that is not the one the service first saw under its id.
   */
  async start(): Promise<void> {
    try {
      await this.#checkAll();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      void untilStoreAnswers(
        this.#dependencies.clock,
        () => !this.#isStopped,
        () => this.#checkAll(),
      );
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return Promise.resolve();
  }

  async #checkAll(): Promise<void> {
    const { cipher, checks } = this.#dependencies;
    for (const key of cipher.keys) {
      const value = (await checks.find(key))?.value ?? (await this.#firstValue(key));
      if (value === undefined || cipher.decrypt(key, value, PLACE) === key) continue;
      throw new Error(
        `ENCRYPTION_KEYS: the key ${key} is not the one that this store knows by that id: ` +
          'restore that key, or give a new key a new id',
      );
    }
  }

  /** Undefined for a key that may be wrong: it decrypts none of the secrets that were encrypted under its id. */
  async #firstValue(key: string): Promise<string | undefined> {
    const { cipher, checks, kept, logger } = this.#dependencies;
    const opened = { some: false, all: true };
    for (const secrets of kept) {
      for await (const opens of secrets.openings(key)) {
        if (opens) opened.some = true;
        else opened.all = false;
      }
    }
    if (!opened.some && !opened.all) {
      logger.warn('An encryption key decrypts no secret with its id, and may be wrong', { key });
      return undefined;
    }
    const value = cipher.encrypt(key, key, PLACE);
    return (await checks.put(key, (first) => (first === undefined ? { value } : undefined)))?.value;
  }
}
