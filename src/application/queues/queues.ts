import type { Caller } from '../../domain/access/caller.ts';
import { DomainError, existing, invalidRequest, notFound } from '../../domain/errors.ts';
import type { Deduplication } from '../../domain/jobs/deduplication.ts';
import { policyShape } from '../../domain/policies/policy.ts';
import type { DrainOptions } from '../../domain/queues/drain-options.ts';
import { holdOrderShape, type HoldOrder, HOLDERS } from '../../domain/queues/hold.ts';
import { limiterShape } from '../../domain/queues/limiter.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { windowStateShape } from '../../domain/queues/window.ts';
import { checkPage, type Page } from '../../domain/values/page.ts';
import { stopBy, type StopOrder } from '../../domain/values/stop.ts';
import {
  object,
  required,
  integer,
  listOf,
  type Shaped,
  nullable,
  time,
  oneOf,
  string,
  boolean,
} from '../../domain/values/shape.ts';
import { blockedShape } from '../../domain/workers/blocked.ts';
import { DEFAULT_CONCURRENCY } from '../../domain/workers/worker-options.ts';
import type { QueuePolicies } from '../policies/policies.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import { ALL_QUEUES } from '../kept/policies.ts';
import type { JobScanPort } from '../ports/job-scan-port.ts';
import type { QueueControlPort, QueueRemoval } from '../ports/queue-control-port.ts';
import type { QueueStandingPort } from '../ports/queue-standing-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import { allEnded } from '../running/all-ended.ts';
import { inSteps } from '../running/in-steps.ts';
import { inTurns } from '../running/in-turns.ts';
import type { BlockedQueues } from './blocked-queues.ts';
import { listedQueue, listedQueueFields } from './listed-queue.ts';
import type { QueueNames } from './queue-names.ts';
import type { QueueView } from './queue-view.ts';

/** Which queues to list: a page of those with names that match a pattern, or of all without one. */
export interface QueuesQuery extends Page {
  readonly name: string | undefined;
  /** Whether to look first for queues that other programs created. */
  readonly discover: boolean;
}

export const queuesPageShape = object('QueuesPage', {
  total: required(integer(0), 'The number of queues on all pages together'),
  queues: required(listOf(object('ListedQueue', listedQueueFields)), 'The queues of this page'),
});

export type QueuesPage = Shaped<typeof queuesPageShape>;

/** The queues whose policies make a queue a dead letter queue. */
export const deadLettersShape = object('DeadLetters', {
  from: required(listOf(string), 'The queues whose failed jobs policies send there, by name'),
});

export type DeadLetters = Shaped<typeof deadLettersShape>;

/** One queue at a glance. */
export const queueOverviewShape = object('Queue', {
  ...listedQueueFields,
  concurrency: required(nullable(integer(1)), 'Most calls at a time; null without a worker'),
  limiter: required(nullable(limiterShape), 'The bound on the rate of the calls; null without one'),
  suspended: required(integer(0), 'How many of its jobs are suspended'),
  heldUntil: required(
    nullable(time),
    'Until when no job starts, in milliseconds since 1970; null unless the queue is held',
  ),
  heldBy: required(
    nullable(oneOf(...HOLDERS)),
    'Whether an answer of the endpoint or a caller of the API holds the queue; null unless it is held',
  ),
  window: required(
    nullable(windowStateShape),
    'Whether jobs may start now by the window of the queue; null without a window',
  ),
  policy: required(nullable(policyShape), 'The policy of the queue itself; null without'),
  deadLetters: required(
    nullable(deadLettersShape),
    'The queues that send their dead letters to it, so that it needs no worker; null for any other queue',
  ),
  stuckParents: required(
    integer(0),
    'How many of its jobs wait for a child that failed for good, as far as one look goes',
  ),
  blocked: required(
    nullable(blockedShape),
    'Why nothing starts although jobs wait; null when jobs start, or none waits',
  ),
});

export type QueueOverview = Shaped<typeof queueOverviewShape>;

/** The confirmation that a queue is to be removed. */
export interface RemovalOrder {
  /** Must repeat the name of the queue. */
  readonly confirm: string | undefined;
  /** Whether to remove active jobs too and abort their calls. */
  readonly force: boolean;
}

/** What was removed along with a queue. */
export const removedQueueShape = object('RemovedQueue', {
  jobs: required(integer(0), 'How many jobs were removed'),
  schedulers: required(integer(0), 'How many job schedulers were removed'),
  worker: required(boolean, 'Whether a worker was removed'),
});

export type RemovedQueue = Shaped<typeof removedQueueShape>;

/** The part of the worker registry that the removal of a queue needs. */
export interface WorkerRemoval {
  /** Returns false when the queue had no worker. */
  removeIfAny(queue: QueueName): Promise<boolean>;
}

export interface QueuesDependencies extends Pick<CommonPorts, 'standings' | 'signals' | 'clock'> {
  readonly control: QueueControlPort;
  readonly jobs: Pick<JobControlPort, 'removeActive'>;
  readonly scan: Pick<JobScanPort, 'oldest'>;
  readonly names: QueueNames;
  readonly view: QueueView;
  readonly blocked: BlockedQueues;
  readonly workers: KeptWorkers;
  readonly registration: WorkerRemoval;
  readonly policies: QueuePolicies;
}

/** How many sources of a dead letter queue are named at most. */
const MOST_SOURCES = 1000;

/** How many active jobs are removed at most, and how many at a time. */
const [MOST_ACTIVE, REMOVED_AT_ONCE] = [10_000, 50];

/** The operations on whole queues. */
export class Queues {
  readonly #control: QueueControlPort;
  readonly #jobs: QueuesDependencies['jobs'];
  readonly #scan: QueuesDependencies['scan'];
  readonly #names: QueueNames;
  readonly #view: QueueView;
  readonly #standings: QueueStandingPort;
  readonly #blocked: BlockedQueues;
  readonly #workers: KeptWorkers;
  readonly #registration: WorkerRemoval;
  readonly #signals: ReplicaSignalsPort;
  readonly #policies: QueuePolicies;
  readonly #clock: ClockPort;

  constructor(dependencies: QueuesDependencies) {
    this.#control = dependencies.control;
    this.#jobs = dependencies.jobs;
    this.#scan = dependencies.scan;
    this.#names = dependencies.names;
    this.#view = dependencies.view;
    this.#standings = dependencies.standings;
    this.#blocked = dependencies.blocked;
    this.#workers = dependencies.workers;
    this.#registration = dependencies.registration;
    this.#signals = dependencies.signals;
    this.#policies = dependencies.policies;
    this.#clock = dependencies.clock;
  }

  /**
   * The queues by name: those that the directory lists, and those with a worker, since a queue with a worker needs
   * nothing else to exist. Queues that are removed in the meantime are left out.
   *
   * @param mayUse which queues the caller may see; all by default.
   * @throws DomainError `invalid-request` naming the number or the pattern.
   */
  async list(
    { start, length, name, discover }: QueuesQuery,
    mayUse?: (queue: string) => boolean,
  ): Promise<QueuesPage> {
    checkPage({ start, length });
    const names = await this.#names.list(name, discover, mayUse);
    const page = names.slice(start, start + length);
    const queues = await this.#view.of(page);
    const now = this.#clock.now();
    return {
      total: names.length - (page.length - queues.length),
      queues: queues.map((viewed) => listedQueue(viewed, now)),
    };
  }

  /**
   * One queue.
   *
   * @param mayUse which queues the caller may see; all by default.
   * @throws DomainError `queue-not-found` when it was never created, and has neither a job nor a worker.
   */
  async read(queue: QueueName, mayUse?: (queue: string) => boolean): Promise<QueueOverview> {
    const [[viewed], policy] = await Promise.all([
      this.#view.of([queue]),
      this.#policies.find(queue),
    ]);
    if (viewed === undefined) throw notFound('queue');
    const { glance, worker } = viewed;
    const [[blocked], deadLetters, stuckParents] = await Promise.all([
      this.#blocked.reasons([viewed], mayUse),
      this.#deadLetters(queue, mayUse),
      glance.counts['waiting-children'] === 0 ? 0 : this.#standings.stuckParents(queue),
    ]);
    return {
      ...listedQueue(viewed, this.#clock.now()),
      concurrency: worker === undefined ? null : (worker.opts?.concurrency ?? DEFAULT_CONCURRENCY),
      limiter: worker?.opts?.limiter ?? null,
      suspended: glance.suspended,
      heldUntil: glance.hold?.until ?? null,
      heldBy: glance.hold?.by ?? null,
      window: viewed.window ?? null,
      policy: policy ?? null,
      deadLetters,
      stuckParents,
      blocked: blocked ?? null,
    };
  }

  async #deadLetters(
    queue: QueueName,
    mayUse: (queue: string) => boolean = () => true,
  ): Promise<DeadLetters | null> {
    const scopes = this.#policies.deadLetterSources(queue);
    if (scopes.size === 0) return null;
    // A policy of all queues is that of each queue that exists, unless it has one of its own that says otherwise.
    const names = scopes.has(ALL_QUEUES)
      ? await this.#names.list(undefined, false, mayUse)
      : [...scopes].filter((scope) => scope !== ALL_QUEUES && mayUse(scope)).sort();
    const from = names.filter((name) => this.#policies.sendsDeadLetters(name as QueueName, queue));
    return { from: from.slice(0, MOST_SOURCES) };
  }

  /**
   * Starts no job until the queue is resumed; running calls continue.
   *
   * @throws DomainError `invalid-request` naming the field.
   */
  async pause(queue: QueueName, order: StopOrder, caller: Caller): Promise<void> {
    await this.#control.pause(queue, stopBy(caller, order, this.#clock.now()));
  }

  async resume(queue: QueueName): Promise<void> {
    await this.#control.resume(queue);
  }

  /**
   * Starts no job for a while; running calls continue. @returns until when (epoch ms).
   *
   * @throws DomainError `invalid-request` naming the field.
   */
  hold(queue: QueueName, order: HoldOrder, caller: Caller): Promise<number> {
    const stop = stopBy(caller, order, this.#clock.now(), holdOrderShape);
    return this.#control.hold(queue, order.for, stop);
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
      throw notFound('queue');
    }
  }

  /** Removes the waiting jobs. @returns their number. */
  drain(queue: QueueName, options: DrainOptions): Promise<number> {
    return this.#control.drain(queue, options);
  }

  /**
   * Removes the jobs that have not ended, active ones too, whose attempts lose them. The next job of each scheduler
   * stays. Jobs that are added in the meantime may stay.
   *
   * @returns their number. When it throws an error that `mayBeStored`, some jobs may be gone.
   */
  purge(queue: QueueName): Promise<number> {
    return inSteps((changed) => this.#purge(queue, changed));
  }

  async #purge(queue: QueueName, changed: () => void): Promise<number> {
    let removed = await this.#control.drain(queue, { delayed: true });
    if (removed > 0) changed();
    try {
      // Oldest first, so that jobs that start in the meantime are not waited for.
      const { jobs } = await this.#scan.oldest(queue, ['active'], MOST_ACTIVE);
      for await (const some of inTurns(this.#clock, jobs, REMOVED_AT_ONCE)) {
        const removing = some.map(({ id }) => this.#jobs.removeActive(queue, id));
        await allEnded(removing, (outcomes) => {
          const { length } = outcomes.filter(({ kind }) => kind === 'done');
          if (length > 0) changed();
          removed += length;
        });
      }
    } finally {
      this.#signals.send('cancelled', { queue });
    }
    // What was put back in the meantime.
    return removed + (await this.#control.drain(queue, { delayed: true }));
  }

  /** @throws DomainError `deduplication-not-found` when no job stands for the id. */
  async deduplication(queue: QueueName, id: string): Promise<Deduplication> {
    return existing(await this.#control.deduplication(queue, id), 'deduplication');
  }

  /**
   * Lets the next job of the id be added.
   *
   * @throws DomainError `deduplication-not-found` when no job stands for it.
   */
  async endDeduplication(queue: QueueName, id: string): Promise<void> {
    if (!(await this.#control.endDeduplication(queue, id))) throw notFound('deduplication');
  }

  /**
   * Removes the queue, its policy and its worker. The worker is removed last, so that a repeated call finds it when
   * something failed before.
   *
   * @throws DomainError `invalid-request`, `queue-not-found`, or `queue-active` when jobs run and it is not forced.
   */
  async remove(queue: QueueName, { confirm, force }: RemovalOrder): Promise<RemovedQueue> {
    if (confirm !== queue) throw invalidRequest('confirm must be the name of the queue', 'confirm');
    return inSteps((changed) => this.#remove(queue, force, changed));
  }

  async #remove(queue: QueueName, force: boolean, changed: () => void): Promise<RemovedQueue> {
    const removal = await this.#removeJobs(queue, force);
    if (removal.kind === 'removed') changed();
    if (removal.kind === 'active') throw new DomainError('queue-active', 'Queue has active jobs');
    await this.#policies.forget(queue);
    const worker = await this.#registration.removeIfAny(queue);
    if (removal.kind === 'removed') {
      const { jobs, schedulers } = removal;
      return { jobs, schedulers, worker };
    }
    if (!worker) throw notFound('queue');
    return { jobs: 0, schedulers: 0, worker };
  }

  /**
   * Wakes the replicas that are calling for jobs of the queue, so that they end the calls, even if only some jobs were
   * removed.
   */
  async #removeJobs(queue: QueueName, force: boolean): Promise<QueueRemoval> {
    try {
      return await this.#control.remove(queue, force);
    } finally {
      if (force) this.#signals.send('cancelled', { queue });
    }
  }
}
