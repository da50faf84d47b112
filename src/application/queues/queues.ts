import type { Deduplication } from '../../domain/jobs/deduplication.ts';
import type { DrainOptions } from '../../domain/queues/drain-options.ts';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import { holdOrderShape, type HoldOrder } from '../../domain/queues/hold.ts';
import { NO_JOBS, type JobCounts } from '../../domain/jobs/job-status.ts';
import { namePattern, namePatternShape } from '../../domain/queues/name-pattern.ts';
import { checkPage, type Page } from '../../domain/values/page.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Blocked } from '../../domain/workers/blocked.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { Limiter } from '../../domain/attempts/limiter.ts';
import { DEFAULT_CONCURRENCY } from '../../domain/workers/worker-options.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueueControlPort, QueueRemoval } from '../ports/queue-control-port.ts';
import type { QueuePolicies } from '../policies/policies.ts';
import type { QueueDirectoryPort, QueueGlance } from '../ports/queue-directory-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';
import type { BlockedQueues } from './blocked-queues.ts';
import { queueNotFound } from './queue-not-found.ts';

/** A queue in a list. */
export interface ListedQueue {
  readonly name: QueueName;
  readonly paused: boolean;
  readonly counts: JobCounts;
  /** How long ago the oldest waiting or prioritized job could have started, in milliseconds. */
  readonly oldestWaiting: number | null;
  /** The URL of the worker's endpoint. */
  readonly worker: string | null;
}

/** Which queues to list: a page of those with names that match a pattern, or of all without one. */
export interface QueuesQuery extends Page {
  readonly name: string | undefined;
  /** Whether to look first for queues that other programs created. */
  readonly discover: boolean;
}

export interface QueuesPage {
  /** The number of queues on all pages together. */
  readonly total: number;
  readonly queues: readonly ListedQueue[];
}

/** One queue at a glance. */
export interface QueueOverview extends ListedQueue {
  readonly concurrency: number | null;
  readonly limiter: Limiter | null;
  /** Until when (epoch ms) no job starts. */
  readonly heldUntil: number | null;
  /** Its own policy. */
  readonly policy: Policy | null;
  /** Why nothing of it starts although jobs wait; null when jobs start, or none waits. */
  readonly blocked: Blocked | null;
}

/** The confirmation that a queue is to be removed. */
export interface RemovalOrder {
  /** Must repeat the name of the queue. */
  readonly confirm: string | undefined;
  /** Whether to remove active jobs too and abort their calls. */
  readonly force: boolean;
}

/** What was removed with a queue. */
export interface RemovedQueue {
  readonly jobs: number;
  readonly schedulers: number;
  readonly worker: boolean;
}

/** The part of the registration of workers that the removal of a queue needs. */
export interface WorkerRemoval {
  /** Returns false when the queue had no worker. */
  removeIfAny(queue: QueueName): Promise<boolean>;
}

/** The state of a queue that has a worker and nothing else. */
const NOTHING: QueueGlance = { isPaused: false, counts: NO_JOBS };

export interface QueuesDependencies {
  readonly control: QueueControlPort;
  readonly directory: QueueDirectoryPort;
  readonly blocked: BlockedQueues;
  readonly workers: WorkerStorePort;
  readonly registration: WorkerRemoval;
  readonly signals: ReplicaSignalsPort;
  readonly policies: QueuePolicies;
  readonly clock: ClockPort;
}

/** What operators do with whole queues. */
export class Queues {
  readonly #control: QueueControlPort;
  readonly #directory: QueueDirectoryPort;
  readonly #blocked: BlockedQueues;
  readonly #workers: WorkerStorePort;
  readonly #registration: WorkerRemoval;
  readonly #signals: ReplicaSignalsPort;
  readonly #policies: QueuePolicies;
  readonly #clock: ClockPort;

  constructor(dependencies: QueuesDependencies) {
    this.#control = dependencies.control;
    this.#directory = dependencies.directory;
    this.#blocked = dependencies.blocked;
    this.#workers = dependencies.workers;
    this.#registration = dependencies.registration;
    this.#signals = dependencies.signals;
    this.#policies = dependencies.policies;
    this.#clock = dependencies.clock;
  }

  /**
   * The queues by name: those that the directory lists, and those with a worker, since a queue with a worker needs
   * nothing else to exist. A queue that is removed meanwhile is left out.
   *
   * @throws DomainError `invalid-request` naming the number or the pattern.
   */
  async list({ start, length, name, discover }: QueuesQuery): Promise<QueuesPage> {
    checkPage({ start, length });
    if (name !== undefined) checkShape(namePatternShape, name, 'name');
    if (discover) await this.#directory.discover();
    const [listed, served] = await Promise.all([this.#directory.names(), this.#workers.queues()]);
    const isWanted = name === undefined ? () => true : namePattern(name);
    const names = [...new Set([...listed, ...served])].filter(isWanted).sort();
    const page = names.slice(start, start + length);
    const [glances, workers] = await Promise.all([
      this.#directory.glances(page),
      this.#workers.findEach(page),
    ]);
    const queues = page.flatMap((queue, index) => {
      const [glance, worker] = [glances[index], workers[index]];
      if (glance === undefined && worker === undefined) return [];
      return [this.#listed(queue, glance, worker)];
    });
    return { total: names.length - (page.length - queues.length), queues };
  }

  /** @throws DomainError `queue-not-found` when it was never created, and has neither a job nor a worker. */
  async read(queue: QueueName): Promise<QueueOverview> {
    const [[glance], worker, policy] = await Promise.all([
      this.#directory.glances([queue]),
      this.#workers.find(queue),
      this.#policies.find(queue),
    ]);
    if (glance === undefined && worker === undefined) {
      throw queueNotFound();
    }
    const [blocked] = await this.#blocked.reasons([{ queue, glance: glance ?? NOTHING, worker }]);
    return {
      ...this.#listed(queue, glance, worker),
      concurrency: worker === undefined ? null : (worker.opts?.concurrency ?? DEFAULT_CONCURRENCY),
      limiter: worker?.opts?.limiter ?? null,
      heldUntil: glance?.hold?.until ?? null,
      policy: policy ?? null,
      blocked: blocked ?? null,
    };
  }

  /** Starts no job until the queue is resumed; running calls continue. */
  async pause(queue: QueueName): Promise<void> {
    await this.#control.pause(queue);
  }

  async resume(queue: QueueName): Promise<void> {
    await this.#control.resume(queue);
  }

  /**
   * Starts no job for a time; running calls continue. @returns until when (epoch ms).
   *
   * @throws DomainError `invalid-request` naming the field.
   */
  hold(queue: QueueName, order: HoldOrder): Promise<number> {
    checkShape(holdOrderShape, order, '');
    return this.#control.hold(queue, order.for);
  }

  /**
   * Lets jobs start again, if the queue is held.
   *
   * @throws DomainError `queue-not-found` when it was never created, and has neither a job nor a worker.
   */
  async endHold(queue: QueueName): Promise<void> {
    const exists = await this.#control.endHold(queue);
    this.#signals.send('opened', { queue });
    if (!exists && (await this.#workers.find(queue)) === undefined) {
      throw queueNotFound();
    }
  }

  /** Removes the waiting jobs. @returns their number. */
  drain(queue: QueueName, options: DrainOptions): Promise<number> {
    return this.#control.drain(queue, options);
  }

  /** @throws DomainError `deduplication-not-found` when no job stands for the id. */
  async deduplication(queue: QueueName, id: string): Promise<Deduplication> {
    const deduplication = await this.#control.deduplication(queue, id);
    if (deduplication === undefined) throw deduplicationNotFound();
    return deduplication;
  }

  /**
   * Lets the next job of the id be added.
   *
   * @throws DomainError `deduplication-not-found` when no job stands for it.
   */
  async endDeduplication(queue: QueueName, id: string): Promise<void> {
    if (!(await this.#control.endDeduplication(queue, id))) throw deduplicationNotFound();
  }

  /**
   * Removes the queue, its policy and its worker. The worker is removed last: when something fails before, a
   * repeated call finds it.
   *
   * @throws DomainError `invalid-request`, `queue-not-found`, or `queue-active` when jobs run and it is not forced.
   */
  async remove(queue: QueueName, { confirm, force }: RemovalOrder): Promise<RemovedQueue> {
    if (confirm !== queue) throw invalidRequest('confirm must be the name of the queue', 'confirm');
    const removal = await this.#removeJobs(queue, force);
    if (removal.kind === 'active') throw new DomainError('queue-active', 'Queue has active jobs');
    await this.#policies.forget(queue);
    const worker = await this.#registration.removeIfAny(queue);
    if (removal.kind === 'removed') {
      const { jobs, schedulers } = removal;
      return { jobs, schedulers, worker };
    }
    if (!worker) throw queueNotFound();
    return { jobs: 0, schedulers: 0, worker };
  }

  /** Wakes the replicas that call for jobs of the queue to end the calls, even if only some jobs were removed. */
  async #removeJobs(queue: QueueName, force: boolean): Promise<QueueRemoval> {
    try {
      return await this.#control.remove(queue, force);
    } finally {
      if (force) this.#signals.send('cancelled', { queue });
    }
  }

  #listed(
    name: QueueName,
    { isPaused, counts, waitingSince }: QueueGlance = NOTHING,
    worker: Worker | undefined,
  ): ListedQueue {
    const age = waitingSince === undefined ? null : this.#clock.now() - waitingSince;
    return {
      name,
      paused: isPaused,
      counts,
      // The clock of the replica that added the job may be ahead of this one.
      oldestWaiting: age && Math.max(0, age),
      worker: worker?.endpoint.url ?? null,
    };
  }
}

function deduplicationNotFound(): DomainError {
  return new DomainError('deduplication-not-found', 'Deduplication not found');
}
