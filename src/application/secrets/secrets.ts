import { DomainError } from '../../domain/errors.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import {
  object,
  required,
  integer,
  mapOf,
  type Shaped,
  string,
} from '../../domain/values/shape.ts';
import { rewrapOrderShape, type RewrapOrder } from '../../domain/workers/rewrap-order.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';
import { FreshRuns } from '../running/fresh-runs.ts';
import type { KeptSecrets } from './kept-secrets.ts';

/** How many secrets each key protects, by key id. */
export type SecretCounts = Readonly<Record<string, number>>;

export const rewrapReportShape = object('Rewrap', {
  matched: required(integer(0), 'How many secrets were to be written anew and could be read'),
  done: required(integer(0), 'How many are now'),
  secrets: required(
    mapOf(string, integer(0), 'be an object of ids of keys and numbers'),
    'How many secrets each key keeps after it; `none` for those kept as they are',
  ),
});

export type RewrapReport = Shaped<typeof rewrapReportShape>;

/** Stands for unencrypted secrets. */
export const NO_KEY = 'none';

/** The secrets of all workers and hooks as the store keeps them (platform contract, section 11). */
export class Secrets {
  readonly #kept: readonly KeptSecrets[];
  readonly #cipher: Pick<SecretCipherPort, 'currentKey'>;
  /** Callers at the same time share a count, since it reads all records. */
  readonly #counting = new FreshRuns(() => this.#count());

  constructor(kept: readonly KeptSecrets[], cipher: Pick<SecretCipherPort, 'currentKey'>) {
    this.#kept = kept;
    this.#cipher = cipher;
  }

  get hasKey(): boolean {
    return this.#cipher.currentKey !== undefined;
  }

  /** @throws DomainError `store-unavailable`. */
  counts(): Promise<SecretCounts> {
    return this.#counting.run();
  }

  async #count(): Promise<SecretCounts> {
    const counts = new Map<string, number>();
    for (const kept of this.#kept) {
      for await (const key of kept.keys()) {
        counts.set(key ?? NO_KEY, (counts.get(key ?? NO_KEY) ?? 0) + 1);
      }
    }
    return Object.fromEntries(counts);
  }

  /**
   * Encrypts all secrets with the current key for the origins of their endpoints, where they are not, one record at a
   * time. Records with an unreadable secret stay as they are.
   *
   * @throws DomainError `invalid-request` naming the field, `no-encryption-key`, `store-unavailable`.
   */
  async rewrap(order: RewrapOrder): Promise<RewrapReport> {
    checkShape(rewrapOrderShape, order, '');
    if (!this.hasKey) throw new DomainError('no-encryption-key', 'ENCRYPTION_KEYS is not set');
    let [matched, done] = [0, 0];
    for (const kept of this.#kept) {
      const report = await kept.rewrap(order.dryRun === true);
      matched += report.matched;
      done += report.done;
    }
    return { matched, done, secrets: await this.counts() };
  }
}
