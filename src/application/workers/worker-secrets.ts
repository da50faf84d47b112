import { DomainError } from '../../domain/errors.ts';
import { boolean, object, optional, type Shaped } from '../../domain/values/shape.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { secretsOf } from '../../domain/workers/worker-secrets.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';
import { FreshRuns } from '../running/fresh-runs.ts';
import { allStoredWorkers } from './stored-workers.ts';
import type { WorkerSealing } from './worker-sealing.ts';

export const rewrapOrderShape = object('RewrapOrder', {
  dryRun: optional(boolean, 'Whether only to count'),
});

export type RewrapOrder = Shaped<typeof rewrapOrderShape>;

/** How many secrets each key protects, by key id. */
export type SecretCounts = Readonly<Record<string, number>>;

export interface RewrapReport {
  /** How many secrets could be read, and were not encrypted with the current key for the origin of the endpoint. */
  readonly matched: number;
  readonly done: number;
  /** The counts by key after the call. */
  readonly secrets: SecretCounts;
}

/** Stands for unencrypted secrets. */
export const NO_KEY = 'none';

/** The secrets of all workers as the store keeps them (platform contract, section 11). */
export class WorkerSecrets {
  readonly #kept: WorkerStorePort;
  readonly #sealing: WorkerSealing;
  /** Callers at the same time share a count, since it reads all workers. */
  readonly #counting = new FreshRuns(() => this.#count());
  #counts: SecretCounts = {};

  /** @param kept the workers with their secrets encrypted. */
  constructor(kept: WorkerStorePort, sealing: WorkerSealing) {
    this.#kept = kept;
    this.#sealing = sealing;
  }

  get hasKey(): boolean {
    return this.#sealing.hasKey;
  }

  /** @throws DomainError `store-unavailable`. */
  async counts(): Promise<SecretCounts> {
    await this.#counting.run();
    return this.#counts;
  }

  async #count(): Promise<void> {
    const counts = new Map<string, number>();
    for await (const worker of allStoredWorkers(this.#kept)) {
      for (const { value } of secretsOf(worker)) {
        const key = this.#sealing.keyOf(value) ?? NO_KEY;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    this.#counts = Object.fromEntries(counts);
  }

  /**
   * Encrypts all secrets with the current key for the origins of their endpoints, where they are not, one worker at a
   * time. Workers with an unreadable secret stay as they are.
   *
   * @throws DomainError `invalid-request` naming the field, `no-encryption-key`, `store-unavailable`.
   */
  async rewrap(order: RewrapOrder): Promise<RewrapReport> {
    checkShape(rewrapOrderShape, order, '');
    if (!this.hasKey) throw new DomainError('no-encryption-key', 'ENCRYPTION_KEYS is not set');
    let [matched, done] = [0, 0];
    for await (const worker of allStoredWorkers(this.#kept)) {
      matched += this.#outdated(worker);
      if (order.dryRun === true || this.#outdated(worker) === 0) continue;
      done += await this.#rewrapOne(worker);
    }
    return { matched, done, secrets: await this.counts() };
  }

  async #rewrapOne({ queue }: Worker): Promise<number> {
    let rewrapped = 0;
    await this.#kept.change(queue, (kept) => {
      rewrapped = kept === undefined ? 0 : this.#outdated(kept);
      if (kept === undefined || rewrapped === 0) return undefined;
      return this.#sealing.sealed(this.#sealing.opened(kept));
    });
    return rewrapped;
  }

  /** How many secrets of a worker have to be encrypted again; 0 when one of them cannot be read. */
  #outdated(worker: Worker): number {
    if (this.#sealing.unreadable(worker) !== undefined) return 0;
    return secretsOf(worker).filter((secret) => !this.#sealing.isCurrent(worker, secret)).length;
  }
}
