import { parseSealedText, sealedText } from '../../domain/values/sealed-text.ts';
import { secretsOf, withSecrets, type WorkerSecret } from '../../domain/workers/worker-secrets.ts';
import type { UnreadableSecret } from '../../domain/workers/unreadable-worker.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';

/** Seals the secrets of workers with the keys of the service, and opens them (platform contract, section 11). */
export class WorkerSealing {
  readonly #cipher: SecretCipherPort;

  constructor(cipher: SecretCipherPort) {
    this.#cipher = cipher;
  }

  get currentKey(): string | undefined {
    return this.#cipher.currentKey;
  }

  /** The worker as it is kept: sealed where there is a key, else as it is. */
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

  /** The worker with all its secrets; those that cannot be read stay as they are kept. */
  opened(kept: Worker): Worker {
    return withSecrets(kept, (secret) => this.#text(kept, secret) ?? secret.value);
  }

  /** The first secret of a kept worker that cannot be read. */
  unreadable(kept: Worker): UnreadableSecret | undefined {
    const secret = secretsOf(kept).find((each) => this.#text(kept, each) === undefined);
    const key = secret && this.keyOf(secret.value);
    if (secret === undefined || key === undefined) return undefined;
    return { field: secret.field, key, hasKey: this.#cipher.has(key) };
  }

  /** The id of the key of a kept text; undefined for one that is not encrypted. */
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
