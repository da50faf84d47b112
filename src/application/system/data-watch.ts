import { jobsIn } from '../../domain/jobs/job-status.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { SystemPort } from '../ports/system-port.ts';
import type { QueueView, ViewedQueues } from '../queues/queue-view.ts';
import type { RepeatedWork } from '../running/rounds.ts';

/** How often (ms) the replica asks whether the data are still those that it knows. */
const INTERVAL = 5000;

/** The age (ms) at which a view of the queues is too old to say what the store holds. */
const SEEN_FOR = 60_000;

/** Warns when the store came back without its data, such as after a restart without persistence. */
export class DataWatch implements RepeatedWork {
  readonly name = 'data watch';
  readonly failure = { line: 'The data of the store could not be checked', pause: INTERVAL };
  readonly #system: Pick<SystemPort, 'dataId'>;
  readonly #view: Pick<QueueView, 'queues' | 'renewed' | 'latest'>;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  #known: string | undefined;
  /** The latest view of the known data. */
  #seen: ViewedQueues | undefined;

  constructor(
    system: Pick<SystemPort, 'dataId'>,
    view: Pick<QueueView, 'queues' | 'renewed' | 'latest'>,
    clock: ClockPort,
    logger: LoggerPort,
  ) {
    this.#system = system;
    this.#view = view;
    this.#clock = clock;
    this.#logger = logger;
  }

  async round(): Promise<number> {
    // A view that was read before the id is one of the data that the id names, or of earlier ones.
    let seen = await this.#recentView();
    const id = await this.#system.dataId();
    if (this.#known !== undefined && this.#known !== id) {
      const before = this.#seen;
      seen = await this.#view.renewed();
      this.#logger.warn('The store came back without its data', {
        before: before && contentsOf(before),
        now: contentsOf(seen),
      });
    }
    this.#known = id;
    this.#seen = seen;
    return INTERVAL;
  }

  async #recentView(): Promise<ViewedQueues> {
    const { latest } = this.#view;
    const isRecent = latest !== undefined && this.#clock.now() - latest.at < SEEN_FOR;
    return isRecent ? latest : this.#view.queues();
  }
}

function contentsOf({ at, queues }: ViewedQueues): Readonly<Record<string, string | number>> {
  return {
    at: new Date(at).toISOString(),
    queues: queues.length,
    jobs: queues.reduce((sum, { glance }) => sum + jobsIn(glance.counts), 0),
    workers: queues.filter(({ worker }) => worker !== undefined).length,
  };
}
