import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import { NO_JOBS } from '../../domain/jobs/job-status.ts';
import type { WindowState } from '../../domain/queues/window.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueueDirectoryPort, QueueGlance } from '../ports/queue-directory-port.ts';
import type { KnownWorkers } from '../kept/known-workers.ts';
import { Shared } from '../running/shared.ts';
import type { QueueNames } from './queue-names.ts';

/** How long (ms) a view is reused before the queues are read again. */
const SHOWN_FOR = 5000;

/** The state of a queue that has a worker and nothing else. */
export const NOTHING: QueueGlance = { isPaused: false, suspended: 0, counts: NO_JOBS };

/** A queue as of the time when it was read. */
export interface ViewedQueue {
  readonly queue: QueueName;
  readonly glance: QueueGlance;
  readonly worker: Worker | undefined;
  /** Undefined for a queue that has no window. */
  readonly window?: WindowState | undefined;
  /** Whether policies send the failed jobs of other queues there: it needs no worker. */
  readonly takesDeadLetters?: boolean;
  /** The limits that it shares with others, by their names. */
  readonly limits?: readonly string[] | undefined;
}

export interface ViewedQueues {
  /** When they were read, epoch ms. */
  readonly at: number;
  readonly queues: readonly ViewedQueue[];
}

/**
 * A view of all queues, up to a maximum number, that is at most five seconds old. It is created on demand and shared by
 * concurrent requests.
 */
export class QueueView {
  readonly #names: QueueNames;
  readonly #directory: QueueDirectoryPort;
  readonly #workers: Pick<KnownWorkers, 'workersOf'>;
  readonly #policies: Pick<PoliciesInForce, 'of' | 'windowOf' | 'takesDeadLetters'>;
  readonly #most: number;
  readonly #view: Shared<ViewedQueues>;
  #latest: ViewedQueues | undefined;

  /** @param most how many queues to include, in order of name. */
  constructor(
    names: QueueNames,
    directory: QueueDirectoryPort,
    workers: Pick<KnownWorkers, 'workersOf'>,
    policies: Pick<PoliciesInForce, 'of' | 'windowOf' | 'takesDeadLetters'>,
    clock: ClockPort,
    most: number,
  ) {
    this.#names = names;
    this.#directory = directory;
    this.#workers = workers;
    this.#policies = policies;
    this.#most = most;
    this.#view = new Shared(clock, { freshFor: SHOWN_FOR }, (at) => this.#look(at));
  }

  /** The view that was read last, however old it is. */
  get latest(): ViewedQueues | undefined {
    return this.#latest;
  }

  /** @throws DomainError `store-unavailable`. */
  queues(): Promise<ViewedQueues> {
    return this.#view.of();
  }

  /** A view that is read now, and reused from now on. @throws DomainError `store-unavailable`. */
  renewed(): Promise<ViewedQueues> {
    return this.#view.renewed();
  }

  async #look(at: number): Promise<ViewedQueues> {
    const names = (await this.#names.list()).slice(0, this.#most);
    this.#latest = { at, queues: await this.of(names) };
    return this.#latest;
  }

  /** The current state of the queues that exist. */
  async of(names: readonly QueueName[]): Promise<readonly ViewedQueue[]> {
    const [glances, workers] = await Promise.all([
      this.#directory.glances(names),
      this.#workers.workersOf(names),
    ]);
    return names.flatMap((queue, index) => {
      const [glance, worker] = [glances[index], workers.get(queue)];
      if (glance === undefined && worker === undefined) return [];
      const computed = this.#policies.windowOf(queue);
      const window = computed && { open: computed.open, changesAt: computed.changesAt };
      const takesDeadLetters = this.#policies.takesDeadLetters(queue);
      const limits = this.#policies.of(queue)?.limits;
      return [{ queue, glance: glance ?? NOTHING, worker, window, takesDeadLetters, limits }];
    });
  }
}
