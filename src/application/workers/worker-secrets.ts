import { DomainError, isStoreUnavailable } from '../../domain/errors.ts';
import { boolean, object, optional, type Shaped } from '../../domain/values/shape.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { secretsOf } from '../../domain/workers/worker-secrets.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';
import type { Startable } from '../running/startable.ts';
import { untilStoreAnswers } from '../running/until-store-answers.ts';
import type { WorkerSealing } from './worker-sealing.ts';

export const rewrapOrderShape = object('RewrapOrder', {
  dryRun: optional(boolean, 'Whether only to count'),
});

export type RewrapOrder = Shaped<typeof rewrapOrderShape>;

/** How many secrets each key protects, by key id. */
export type SecretCounts = Readonly<Record<string, number>>;

export interface RewrapReport {
  /** How many secrets were not encrypted with the current key and could be read. */
  readonly matched: number;
  readonly done: number;
  /** The counts by key after the call. */
  readonly secrets: SecretCounts;
}

/** Stands for unencrypted secrets. */
export const NO_KEY = 'none';

/** The secrets of all workers as the store keeps them (platform contract, section 11). */
export class WorkerSecrets implements Startable {
  readonly name = 'worker secrets';
  readonly #kept: WorkerStorePort;
  readonly #sealing: WorkerSealing;
  readonly #clock: ClockPort;
  #isStopped = false;

  /** @param kept the workers with their secrets encrypted. */
  constructor(kept: WorkerStorePort, sealing: WorkerSealing, clock: ClockPort) {
    this.#kept = kept;
    this.#sealing = sealing;
    this.#clock = clock;
  }

  get hasKey(): boolean {
    return this.#sealing.currentKey !== undefined;
  }

  /**
   * Verifies that the keys are the right ones. It does not wait while the store is away: the keys are then checked once
   * the store is available, and a wrong key ends the service like any unhandled error.
   *
   * @throws Error naming a key that does not decrypt a secret with its id.
   */
  async start(): Promise<void> {
    if (!this.hasKey) return;
    try {
      await this.#checkAll();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      void untilStoreAnswers(
        this.#clock,
        () => !this.#isStopped,
        () => this.#checkAll(),
      );
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return Promise.resolve();
  }

  /** @throws DomainError `store-unavailable`. */
  async counts(): Promise<SecretCounts> {
    const counts = new Map<string, number>();
    for (const worker of (await this.#kept.all()).workers) {
      for (const { value } of secretsOf(worker)) {
        const key = this.#sealing.keyOf(value) ?? NO_KEY;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    return Object.fromEntries(counts);
  }

  /**
   * Encrypts with the current key all secrets that are not, one worker at a time. Workers with an unreadable secret
   * stay as they are.
   *
   * @throws DomainError `invalid-request` naming the field, `no-encryption-key`, `store-unavailable`.
   */
  async rewrap(order: RewrapOrder): Promise<RewrapReport> {
    checkShape(rewrapOrderShape, order, '');
    if (!this.hasKey) throw new DomainError('no-encryption-key', 'ENCRYPTION_KEYS is not set');
    let [matched, done] = [0, 0];
    for (const worker of (await this.#kept.all()).workers) {
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

  /** How many secrets of a worker are not encrypted with the current key; 0 when one of them cannot be read. */
  #outdated(worker: Worker): number {
    if (this.#sealing.unreadable(worker) !== undefined) return 0;
    const { currentKey } = this.#sealing;
    return secretsOf(worker).filter(({ value }) => this.#sealing.keyOf(value) !== currentKey)
      .length;
  }

  /** @throws Error that names a key, DomainError `store-unavailable`. */
  async #checkAll(): Promise<void> {
    for (const worker of (await this.#kept.all()).workers) {
      const problem = this.#sealing.unreadable(worker);
      if (problem?.hasKey !== true) continue;
      const { key, field } = problem;
      throw new Error(
        `ENCRYPTION_KEYS: the key ${key} does not open ${field} of the worker of ${worker.queue}`,
      );
    }
  }
}
