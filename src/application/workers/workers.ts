import type { Caller } from '../../domain/access/caller.ts';
import type { Fleet } from './fleet.ts';
import { endpointUrlShape } from '../../domain/calls/endpoint.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import {
  checkNewWorker,
  shownWorker,
  type Worker,
  type WorkerInput,
  type WorkerShape,
} from '../../domain/workers/worker.ts';
import {
  DomainError,
  existing,
  invalidRequest,
  isStoreUnavailable,
  notFound,
} from '../../domain/errors.ts';
import { hasUrl } from '../../domain/workers/called-worker.ts';
import { rotatedWorker, signedWorker } from '../../domain/calls/signing.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import {
  disabledWorker,
  disablingOrderShape,
  enabledWorker,
  type DisablingOrder,
} from '../../domain/workers/worker-disabling.ts';
import type { BreakerPort } from '../ports/breaker-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { SecretPort } from '../ports/secret-port.ts';
import { STORE_PATIENCE } from '../ports/store-patience.ts';
import type { TokenPort } from '../ports/token-port.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import type { KnownWorkers } from '../kept/known-workers.ts';
import { requireReadable } from '../../domain/workers/unreadable-worker.ts';
import {
  changedWorker,
  checkWorkerChange,
  type WorkerChangeInput,
} from '../../domain/workers/worker-change.ts';

/** A worker that was changed, in a form that may be shown. */
export interface ChangedWorker extends Worker {
  /** The new signing secret, which is returned only this once; absent when none was made. */
  readonly secret?: string;
}

export interface WorkersDependencies extends Pick<
  CommonPorts,
  'signals' | 'breakers' | 'tokens' | 'secrets' | 'clock'
> {
  readonly store: KeptWorkers;
  readonly inForce: Pick<KnownWorkers, 'all'>;
  readonly policies: Pick<PoliciesInForce, 'areKnown' | 'known' | 'of'>;
  readonly fleet: Pick<Fleet, 'reconcile'>;
  readonly shape: WorkerShape;
}

/**
 * The operations of clients on workers. The fleets apply what is stored here: that of this replica before the client
 * gets its answer, the others as soon as they are woken. A change is complete once it is stored; if the store goes away
 * right after that, the client does not wait for the fleet.
 */
export class Workers {
  readonly #store: KeptWorkers;
  readonly #inForce: Pick<KnownWorkers, 'all'>;
  readonly #policies: WorkersDependencies['policies'];
  readonly #signals: ReplicaSignalsPort;
  readonly #fleet: WorkersDependencies['fleet'];
  readonly #breakers: BreakerPort;
  readonly #tokens: TokenPort;
  readonly #secrets: SecretPort;
  readonly #clock: ClockPort;
  readonly #shape: WorkerShape;

  constructor(dependencies: WorkersDependencies) {
    this.#store = dependencies.store;
    this.#inForce = dependencies.inForce;
    this.#policies = dependencies.policies;
    this.#signals = dependencies.signals;
    this.#fleet = dependencies.fleet;
    this.#breakers = dependencies.breakers;
    this.#tokens = dependencies.tokens;
    this.#secrets = dependencies.secrets;
    this.#clock = dependencies.clock;
    this.#shape = dependencies.shape;
  }

  /**
   * Registers the worker of a queue, replacing any other (worker endpoints, rule 1). The worker is enabled, and its
   * breaker closed.
   *
   * @returns the new signing secret, which is returned only this once; undefined when there is none.
   * @throws DomainError `invalid-request` naming the field, `too-many-workers`.
   */
  async register(input: WorkerInput): Promise<string | undefined> {
    const checked = await this.#checked(input);
    const since = this.#clock.now();
    const worker = { ...checked, registration: this.#tokens.draw(), registeredAt: since };
    const secret = await this.#save(worker);
    await this.#notifyReplicas(worker.queue, since, () => this.#closeBreaker(worker.queue));
    return secret;
  }

  /** The worker as `read` would answer it after `register`; nothing is stored. @throws DomainError `invalid-request`. */
  async preview(input: WorkerInput): Promise<Worker> {
    return shownWorker(await this.#checked(input));
  }

  /**
   * Changes what a merge patch names, in one step. A worker that is disabled stays so; its breaker closes when the change
   * concerns the endpoint or the breaker.
   *
   * @throws DomainError `invalid-request` naming the field, `worker-not-found`, `worker-unreadable`.
   */
  async change(queue: QueueName, change: WorkerChangeInput): Promise<ChangedWorker> {
    checkWorkerChange(change);
    if (change.endpoint?.url === null) await this.#requireDestinations(queue);
    const fresh = this.#secrets.draw();
    const registration = this.#tokens.draw();
    const worker = await this.#change(queue, (stored) => {
      requireReadable(stored);
      const changed = changedWorker(stored, change, this.#shape);
      const signed =
        changed.endpoint.signing === true ? signedWorker(changed, stored, fresh) : changed;
      return isCalledAlike(stored, signed) ? signed : { ...signed, registration };
    });
    if (worker.registration === registration) await this.#closeBreaker(queue);
    const isFresh = worker.endpoint.secrets?.current === fresh;
    return { ...shownWorker(worker), ...(isFresh && { secret: fresh }) };
  }

  /**
   * Adds a new secret that signs the calls of a worker; the previous one still signs for a day.
   *
   * @returns the secret, which is returned only this once.
   * @throws DomainError `worker-not-found`, `worker-unsigned`, `worker-unreadable`, `too-many-secrets`.
   */
  async rotateSecret(queue: QueueName): Promise<string> {
    const secret = this.#secrets.draw();
    const now = this.#clock.now();
    const worker = await this.#change(queue, (stored) => {
      requireReadable(stored);
      return rotatedWorker(stored, secret, now);
    });
    if (worker.endpoint.secrets?.current !== secret) {
      throw new DomainError('worker-unsigned', 'The calls of the worker are not signed');
    }
    return secret;
  }

  /** Queue names with the URL of their endpoint, null without one, in the order of the names. */
  async list(): Promise<ReadonlyMap<string, string | null>> {
    const workers = await this.#inForce.all();
    const entries = workers.map(({ queue, endpoint }) => [queue, endpoint.url] as const);
    return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * The worker of a queue with its header values hidden.
   *
   * @throws DomainError `worker-not-found`.
   */
  async read(queue: QueueName): Promise<Worker> {
    return shownWorker(existing(await this.#store.find(queue), 'worker'));
  }

  /**
   * Starts no further call for jobs of the queue on any replica; its jobs wait, and running calls continue. A worker
   * that is already disabled stays as it is.
   *
   * @throws DomainError `invalid-request` naming the field, `worker-not-found`.
   */
  async disable(queue: QueueName, order: DisablingOrder, caller: Caller): Promise<void> {
    checkShape(disablingOrderShape, order, '');
    const disabled = { since: this.#clock.now(), reason: order.reason ?? null };
    const disabling = { disabled, disabledBy: caller.name };
    await this.#change(queue, (worker) => disabledWorker(worker, disabling));
  }

  /** @throws DomainError `worker-not-found`. */
  async enable(queue: QueueName): Promise<void> {
    await this.#change(queue, enabledWorker);
  }

  /** @throws DomainError `worker-not-found`. */
  async remove(queue: QueueName): Promise<void> {
    if (!(await this.removeIfAny(queue))) throw notFound('worker');
  }

  /** @returns false when the queue had no worker. */
  async removeIfAny(queue: QueueName): Promise<boolean> {
    const since = this.#clock.now();
    if (!(await this.#store.remove(queue))) return false;
    await this.#notifyReplicas(queue, since);
    return true;
  }

  async #checked(input: WorkerInput): Promise<Worker> {
    const worker = checkNewWorker(input, this.#shape);
    if (!hasUrl(worker)) await this.#requireDestinations(worker.queue);
    return worker;
  }

  /** @throws DomainError `invalid-request` where no policy lets jobs name the URL that their worker lacks. */
  async #requireDestinations(queue: QueueName): Promise<void> {
    if (!this.#policies.areKnown) await this.#policies.known();
    if (this.#policies.of(queue)?.endpoints !== undefined) return;
    const message = `endpoint.url must ${endpointUrlShape.must}: the policy of ${queue} has no endpoints`;
    throw invalidRequest(message, 'endpoint.url');
  }

  /** Runs after the change, so that the verdicts of calls under the old settings are discarded too. */
  async #closeBreaker(queue: QueueName): Promise<void> {
    try {
      await this.#breakers.close(queue);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
    }
    this.#signals.send('opened', { queue });
  }

  /** @returns the new secret; undefined for a worker that is already signed, which keeps its own. */
  async #save(worker: Worker): Promise<string | undefined> {
    if (worker.endpoint.signing !== true) {
      await this.#store.put(worker.queue, () => worker);
      return undefined;
    }
    const fresh = this.#secrets.draw();
    const stored = await this.#store.put(worker.queue, (before) =>
      signedWorker(worker, before?.unreadable === undefined ? before : undefined, fresh),
    );
    return stored?.endpoint.secrets?.current === fresh ? fresh : undefined;
  }

  /** @throws DomainError `worker-not-found`. */
  async #change(queue: QueueName, change: (worker: Worker) => Worker | undefined): Promise<Worker> {
    const since = this.#clock.now();
    const worker = existing(await this.#store.change(queue, change), 'worker');
    await this.#notifyReplicas(queue, since);
    return worker;
  }

  async #notifyReplicas(
    queue: QueueName,
    since: number,
    then = () => Promise.resolve(),
  ): Promise<void> {
    this.#signals.send('workers', { queue });
    const over = new AbortController();
    const reconciled = this.#fleet
      .reconcile(queue)
      .then(then)
      .finally(() => over.abort());
    const patience = this.#clock.sleep(since + STORE_PATIENCE - this.#clock.now(), over.signal);
    await Promise.race([reconciled, patience]);
  }
}

/** Whether the ends of calls before a change are still evidence for the breaker. */
function isCalledAlike(before: Worker, after: Worker): boolean {
  const evidence = ({ endpoint, opts }: Worker): string =>
    JSON.stringify([endpoint, opts?.breaker]);
  return evidence(before) === evidence(after);
}
