import { notFound } from '../../domain/errors.ts';
import { joinedFigures } from '../../domain/calls/call-figures.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkPage, type Page } from '../../domain/values/page.ts';
import { object, required, integer, listOf, type Shaped } from '../../domain/values/shape.ts';
import {
  conditionOf,
  listedHealth,
  workerHealth,
  type WorkerCondition,
  type WorkerHealth,
  listedHealthShape,
} from '../../domain/workers/worker-health.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import { MINUTE, type CallRecorder } from '../calls/call-recorder.ts';
import type { BreakerPort } from '../ports/breaker-port.ts';
import { KEPT_MINUTES, type CallFiguresPort } from '../ports/call-figures-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { QueueDirectoryPort } from '../ports/queue-directory-port.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import type { QueueStandingPort } from '../ports/queue-standing-port.ts';
import type { KnownWorkers } from '../kept/known-workers.ts';
import { severalAtOnce } from '../running/several-at-once.ts';

/** How many breakers are read at once, so that other callers get their turn. */
const READS_AT_ONCE = 20;

/** Which workers to list: a page of those in a state, or of all without one. */
export interface WorkersHealthQuery extends Page {
  readonly state: WorkerCondition['state'] | undefined;
  /** Which queues the caller may use; undefined for all. */
  readonly mayUse: ((queue: string) => boolean) | undefined;
}

export const workersHealthPageShape = object('WorkersHealth', {
  total: required(integer(0), 'The number of workers on all pages together'),
  workers: required(listOf(listedHealthShape), 'The workers of this page, by queue'),
});

export type WorkersHealthPage = Shaped<typeof workersHealthPageShape>;

interface ConditionedWorker {
  readonly worker: Worker;
  readonly condition: WorkerCondition;
}

export interface WorkerHealthReaderDependencies extends Pick<
  CommonPorts,
  'breakers' | 'directory' | 'standings' | 'clock'
> {
  readonly store: Pick<KeptWorkers, 'find'>;
  readonly inForce: Pick<KnownWorkers, 'all'>;
  readonly figures: CallFiguresPort;
  /** Counts the calls of this replica. */
  readonly recorder: Pick<CallRecorder, 'flush'>;
}

/** Reports the health of workers, based on the figures of their calls on all replicas. */
export class WorkerHealthReader {
  readonly #store: Pick<KeptWorkers, 'find'>;
  readonly #inForce: Pick<KnownWorkers, 'all'>;
  readonly #breakers: BreakerPort;
  readonly #directory: QueueDirectoryPort;
  readonly #figures: CallFiguresPort;
  readonly #standings: QueueStandingPort;
  readonly #recorder: Pick<CallRecorder, 'flush'>;
  readonly #clock: ClockPort;

  constructor(dependencies: WorkerHealthReaderDependencies) {
    this.#store = dependencies.store;
    this.#inForce = dependencies.inForce;
    this.#breakers = dependencies.breakers;
    this.#directory = dependencies.directory;
    this.#figures = dependencies.figures;
    this.#standings = dependencies.standings;
    this.#recorder = dependencies.recorder;
    this.#clock = dependencies.clock;
  }

  /**
   * A page of the workers, ordered by queue, with their health.
   *
   * @throws DomainError `invalid-request` naming the number.
   */
  async list({ start, length, state, mayUse }: WorkersHealthQuery): Promise<WorkersHealthPage> {
    checkPage({ start, length });
    const workers = await this.#inForce.all();
    const allowed = mayUse === undefined ? workers : workers.filter(({ queue }) => mayUse(queue));
    const all = await this.#conditions(
      allowed.toSorted((a, b) => (a.queue < b.queue ? -1 : Number(a.queue > b.queue))),
    );
    const chosen =
      state === undefined ? all : all.filter(({ condition }) => condition.state === state);
    const page = chosen.slice(start, start + length);
    const now = Math.floor(this.#clock.now() / MINUTE);
    const [standings, figures] = await Promise.all([
      this.#standings.standings(
        page.map(({ worker: { queue, opts } }) => ({ queue, limiter: opts?.limiter })),
      ),
      this.#figures.readEach(
        page.map(({ worker }) => worker.queue),
        now - KEPT_MINUTES,
        now,
      ),
    ]);
    const listed = page.map(({ worker, condition }, index) => {
      const health = workerHealth(condition, joinedFigures(figures[index] ?? []));
      return listedHealth(worker, health, standings[index]?.running ?? 0);
    });
    return { total: chosen.length, workers: listed };
  }

  async #conditions(workers: readonly Worker[]): Promise<readonly ConditionedWorker[]> {
    const [glances, breakers] = await Promise.all([
      this.#directory.glances(workers.map(({ queue }) => queue)),
      severalAtOnce(workers, READS_AT_ONCE, async ({ queue, opts }) =>
        opts?.breaker === undefined ? undefined : this.#breakers.find(queue),
      ),
    ]);
    return workers.map((worker, index) => {
      const trouble = { breaker: breakers[index], hold: glances[index]?.hold };
      return { worker, condition: conditionOf(worker, trouble) };
    });
  }

  /**
   * Includes the calls of this replica up to now, and those of others up to a second ago.
   *
   * @throws DomainError `worker-not-found`.
   */
  async read(queue: QueueName): Promise<WorkerHealth> {
    const now = Math.floor(this.#clock.now() / MINUTE);
    const [worker, breaker, [glance]] = await Promise.all([
      this.#store.find(queue),
      this.#breakers.find(queue),
      this.#directory.glances([queue]),
      this.#recorder.flush(queue),
    ]);
    if (worker === undefined) throw notFound('worker');
    const condition = conditionOf(worker, { breaker, hold: glance?.hold });
    const [figures = []] = await this.#figures.readEach([queue], now - KEPT_MINUTES, now);
    return workerHealth(condition, joinedFigures(figures));
  }
}
