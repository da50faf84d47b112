import { parseSealedText, sealedText } from '../../domain/values/sealed-text.ts';
import { secretsOf, withSecrets, type WorkerSecret } from '../../domain/workers/worker-secrets.ts';
import type { UnreadableSecret } from '../../domain/workers/unreadable-worker.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';

/** Encrypts the secrets of workers with the keys of the service, and decrypts them (platform contract, section 11). */
export class WorkerSealing {
  readonly #cipher: SecretCipherPort;

  constructor(cipher: SecretCipherPort) {
    this.#cipher = cipher;
  }

  get currentKey(): string | undefined {
    return this.#cipher.currentKey;
  }

  /** The worker as it is stored: encrypted if there is a key, unchanged otherwise. */
  sealed(worker: Worker): Worker {
    const key = this.#cipher.currentKey;
    return withSecrets(worker, ({ value, field }) => {
      if (key !== undefined) {
        return sealedText({ key, content: this.#cipher.encrypt(value, [worker.queue, field]) });
      }
      const looksSealed = parseSealedText(value) !== undefined;
      return looksSealed ? sealedText({ key: '', content: value }) : value;
    });
  }

  /** The worker with all its secrets decrypted; unreadable ones stay as they are stored. */
  opened(kept: Worker): Worker {
    return withSecrets(kept, (secret) => this.#text(kept, secret) ?? secret.value);
  }

  /** The first secret of a stored worker that cannot be decrypted. */
  unreadable(kept: Worker): UnreadableSecret | undefined {
    const secret = secretsOf(kept).find((each) => this.#text(kept, each) === undefined);
    const key = secret && this.keyOf(secret.value);
    if (secret === undefined || key === undefined) return undefined;
    return { field: secret.field, key, hasKey: this.#cipher.has(key) };
  }

  /** The key id of a stored text; undefined for one that is not encrypted. */
  keyOf(kept: string): string | undefined {
    const key = parseSealedText(kept)?.key;
    return key === '' ? undefined : key;
  }

  #text({ queue }: Worker, { value, field }: WorkerSecret): string | undefined {
    const sealed = parseSealedText(value);
    if (sealed === undefined) return value;
    if (sealed.key === '') return sealed.content;
    return this.#cipher.decrypt(sealed.key, sealed.content, [queue, field]);
  }
}
