import type { QueueName } from '../../domain/queue-name.ts';
import {
  checkWorker,
  shownWorker,
  type Worker,
  type WorkerInput,
  type WorkerShape,
} from '../../domain/worker.ts';
import { checkShape } from '../../domain/check-shape.ts';
import {
  disabledWorker,
  disablingOrderShape,
  enabledWorker,
  type DisablingOrder,
} from '../../domain/worker-disabling.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import { STORE_PATIENCE } from '../ports/store-patience.ts';
import type { TokenPort } from '../ports/token-port.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';
import { workerNotFound } from './worker-not-found.ts';

/** The workers that run on this replica, as far as those who change the record need them. */
export interface RecordFollower {
  /** Resolves when this replica has taken up what is stored now, or failed to. */
  follow(): Promise<void>;
}

/**
 * What clients do with workers. The fleet of each replica follows what is stored here: that of this one
 * before the client gets its answer, those of the others as soon as they are woken. A change counts from
 * the moment that it is stored: when the store goes away right after, the client does not wait for more.
 */
export class Workers {
  readonly #store: WorkerStorePort;
  readonly #signals: ReplicaSignalsPort;
  readonly #fleet: RecordFollower;
  readonly #tokens: TokenPort;
  readonly #clock: ClockPort;
  readonly #shape: WorkerShape;

  constructor(
    store: WorkerStorePort,
    signals: ReplicaSignalsPort,
    fleet: RecordFollower,
    tokens: TokenPort,
    clock: ClockPort,
    shape: WorkerShape,
  ) {
    this.#store = store;
    this.#signals = signals;
    this.#fleet = fleet;
    this.#tokens = tokens;
    this.#clock = clock;
    this.#shape = shape;
  }

  /**
   * Registers the worker of a queue in place of any other (worker endpoints, rule 1), which may have been disabled.
   *
   * @throws DomainError `invalid-request` naming the field.
   */
  async register(worker: WorkerInput): Promise<void> {
    const checked = checkWorker(worker, this.#shape);
    const since = this.#clock.now();
    await this.#store.save({ ...checked, registration: this.#tokens.draw() });
    await this.#tellReplicas(since);
  }

  /** Queue names with the URL of their endpoint, in the order of the names. */
  async list(): Promise<ReadonlyMap<string, string>> {
    const { workers } = await this.#store.all();
    const entries = workers.map(({ queue, endpoint }) => [queue, endpoint.url] as const);
    return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * The worker of a queue, header values hidden.
   *
   * @throws DomainError `worker-not-found`.
   */
  async read(queue: QueueName): Promise<Worker> {
    const worker = await this.#store.find(queue);
    if (worker === undefined) throw workerNotFound();
    return shownWorker(worker);
  }

  /**
   * Lets no further call for jobs of the queue start, on no replica; its jobs wait, running calls go on. A worker that
   * is disabled already stays as it is.
   *
   * @throws DomainError `invalid-request` naming the field, `worker-not-found`.
   */
  async disable(queue: QueueName, order: DisablingOrder): Promise<void> {
    checkShape(disablingOrderShape, order, '');
    const disabled = { since: this.#clock.now(), reason: order.reason ?? null };
    await this.#change(queue, (worker) => disabledWorker(worker, disabled));
  }

  /** @throws DomainError `worker-not-found`. */
  async enable(queue: QueueName): Promise<void> {
    await this.#change(queue, enabledWorker);
  }

  /** @throws DomainError `worker-not-found`. */
  async remove(queue: QueueName): Promise<void> {
    if (!(await this.removeIfAny(queue))) throw workerNotFound();
  }

  /** @returns false when the queue had no worker. */
  async removeIfAny(queue: QueueName): Promise<boolean> {
    const since = this.#clock.now();
    if (!(await this.#store.remove(queue))) return false;
    await this.#tellReplicas(since);
    return true;
  }

  async #change(queue: QueueName, change: (worker: Worker) => Worker | undefined): Promise<void> {
    const since = this.#clock.now();
    if ((await this.#store.change(queue, change)) === undefined) throw workerNotFound();
    await this.#tellReplicas(since);
  }

  async #tellReplicas(since: number): Promise<void> {
    this.#signals.send('workers');
    const over = new AbortController();
    const followed = this.#fleet.follow().finally(() => over.abort());
    const patience = this.#clock.sleep(since + STORE_PATIENCE - this.#clock.now(), over.signal);
    await Promise.race([followed, patience]);
  }
}
