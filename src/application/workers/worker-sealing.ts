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

  get hasKey(): boolean {
    return this.#cipher.currentKey !== undefined;
  }

  /** The worker as it is stored: encrypted if there is a key, unchanged otherwise. */
  sealed(worker: Worker): Worker {
    const key = this.#cipher.currentKey;
    return withSecrets(worker, ({ value, field }) => {
      if (key !== undefined) {
        const content = this.#cipher.encrypt(key, value, placeOf(worker, field));
        return sealedText({ key, content });
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
    const secret = secretsOf(kept).find((each) => !this.opens(kept, each));
    const key = secret && this.keyOf(secret.value);
    if (secret === undefined || key === undefined) return undefined;
    return { field: secret.field, key, hasKey: this.#cipher.has(key) };
  }

  /** Whether a secret of a stored worker can be read. */
  opens(kept: Worker, secret: WorkerSecret): boolean {
    return this.#text(kept, secret) !== undefined;
  }

  /** Whether a stored secret is encrypted as it would be now: with the current key, for the origin that it is sent to. */
  isCurrent(kept: Worker, { value, field }: WorkerSecret): boolean {
    const sealed = parseSealedText(value);
    if (sealed === undefined || sealed.key !== this.#cipher.currentKey) return false;
    return this.#cipher.decrypt(sealed.key, sealed.content, placeOf(kept, field)) !== undefined;
  }

  /** The key id of a stored text; undefined for one that is not encrypted. */
  keyOf(kept: string): string | undefined {
    const key = parseSealedText(kept)?.key;
    return key === '' ? undefined : key;
  }

  #text(kept: Worker, { value, field }: WorkerSecret): string | undefined {
    const sealed = parseSealedText(value);
    if (sealed === undefined) return value;
    const { key, content } = sealed;
    if (key === '') return content;
    return (
      this.#cipher.decrypt(key, content, placeOf(kept, field)) ??
      this.#cipher.decrypt(key, content, formerPlaceOf(kept, field))
    );
  }
}

/** What a secret is encrypted for: where it is stored, and the origin of the URL that it is sent to. */
function placeOf(worker: Worker, field: string): readonly string[] {
  return [...formerPlaceOf(worker, field), new URL(worker.endpoint.url).origin];
}

/** What earlier versions encrypted a secret for: such secrets are read until they are encrypted again. */
function formerPlaceOf({ queue }: Worker, field: string): readonly string[] {
  return [queue, field];
}
