import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { DemandsOfQueues } from '../../../application/queues/queue-demands.ts';
import type { PoliciesInForce } from '../../../application/policies/policies.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type {
  QueueDirectoryPort,
  QueueGlance,
} from '../../../application/ports/queue-directory-port.ts';
import type { QueueStandingPort } from '../../../application/ports/queue-standing-port.ts';
import type { StoreHealthPort, StoreMemory } from '../../../application/ports/store-health-port.ts';
import type { SystemPort } from '../../../application/ports/system-port.ts';
import type { KeptWorkers } from '../../../application/kept/workers.ts';
import type { KnownWorkers } from '../../../application/kept/known-workers.ts';
import { isStoreUnavailable } from '../../../domain/errors.ts';
import { JOB_STATES, NO_JOBS } from '../../../domain/jobs/job-status.ts';
import { NO_DEMAND, type Demand } from '../../../domain/queues/demand.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { DatabaseFacts } from '../../../domain/system/system.ts';
import { conditionOf, WORKER_STATES } from '../../../domain/workers/worker-health.ts';
import type { Metric, Sample } from './metric.ts';
import type { QueueAccounts } from './queue-accounts.ts';

/** How long all reading may take together, in milliseconds. */
const READING_TIME = 1000;

export interface StoreGaugesDependencies {
  readonly directory: QueueDirectoryPort;
  readonly workers: Pick<KeptWorkers, 'ids'>;
  readonly inForce: Pick<KnownWorkers, 'workersOf'>;
  readonly standings: QueueStandingPort;
  readonly demands: DemandsOfQueues;
  readonly policies: Pick<PoliciesInForce, 'takesDeadLetters'>;
  readonly health: StoreHealthPort;
  readonly system: Pick<SystemPort, 'store'>;
  readonly clock: ClockPort;
  readonly logger: LoggerPort;
}

type WorkerState = (typeof WORKER_STATES)[number];

interface Readings {
  readonly glances: ReadonlyMap<QueueName, QueueGlance>;
  readonly demands: ReadonlyMap<QueueName, Demand>;
  readonly workers: ReadonlyMap<QueueName, WorkerState>;
  readonly memory: StoreMemory | undefined;
  readonly database: DatabaseFacts | null;
}

/** The state of a queue that does not exist yet but has a worker, or from which jobs were claimed. */
const NO_QUEUE: QueueGlance = { counts: NO_JOBS, isPaused: false, suspended: 0 };

const NOTHING: Readings = {
  glances: new Map(),
  demands: new Map(),
  workers: new Map(),
  memory: undefined,
  database: null,
};

/** What the store last reported about queues, workers and itself. What it did not report is left out. */
export class StoreGauges {
  readonly #dependencies: StoreGaugesDependencies;
  #readings = NOTHING;

  constructor(dependencies: StoreGaugesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes the queues with workers known, decides which queues have a name, and reads their state from the store, as far
   * as it answers in time.
   */
  async read(accounts: QueueAccounts): Promise<void> {
    const { workers, system, clock } = this.#dependencies;
    const ended = new AbortController();
    const late = clock.sleep(READING_TIME, ended.signal).then(() => undefined);
    // What the store says of itself may be why the rest is missing.
    const [report, served] = await Promise.all([
      Promise.race([this.#unlessAway(system.store()), late]),
      Promise.race([this.#unlessAway(workers.ids()), late]),
    ]);
    for (const queue of served ?? []) accounts.of(queue);
    accounts.rank();
    const reading = this.#unlessAway(this.#readingsOf(accounts.names));
    const ofQueues = (await Promise.race([reading, late])) ?? NOTHING;
    this.#readings = { ...ofQueues, database: report?.facts.database ?? null };
    ended.abort();
  }

  get metrics(): readonly Metric[] {
    const gauge = (name: string, help: string, samples: () => readonly Sample[]): Metric => {
      return { name, help, type: 'gauge', samples };
    };
    return [
      gauge('jobgate_jobs', 'Jobs in the store by queue and state, of the most active queues', () =>
        this.#ofQueues((queue, { counts }) =>
          JOB_STATES.map((state) => ({ labels: { queue, state }, value: counts[state] })),
        ),
      ),
      gauge(
        'jobgate_oldest_waiting_seconds',
        'For how long the oldest waiting or prioritized job could have started; 0 without one',
        () =>
          this.#ofQueues((queue, { waitingSince }) => {
            const now = this.#dependencies.clock.now();
            const age = waitingSince === undefined ? 0 : now - waitingSince;
            return [{ labels: { queue }, value: Math.max(0, age) / 1000 }];
          }),
      ),
      gauge(
        'jobgate_queue_demand',
        'Jobs that want workers: those that run, and those that a further worker could start',
        () =>
          [...this.#readings.demands].map(([queue, { demand }]) => {
            return { labels: { queue }, value: demand };
          }),
      ),
      gauge('jobgate_queue_paused', 'Whether a queue is paused: 1 if it is, else 0', () =>
        this.#ofQueues((queue, { isPaused }) => [{ labels: { queue }, value: Number(isPaused) }]),
      ),
      gauge('jobgate_jobs_suspended', 'Jobs that rest until what they await is over', () =>
        this.#ofQueues((queue, { suspended }) => [{ labels: { queue }, value: suspended }]),
      ),
      gauge(
        'jobgate_queue_dead_letters',
        'Whether policies send the failed jobs of other queues to a queue: 1 if they do, else 0',
        () =>
          this.#ofQueues((queue) => {
            const isSent = this.#dependencies.policies.takesDeadLetters(queue);
            return [{ labels: { queue }, value: Number(isSent) }];
          }),
      ),
      gauge('jobgate_worker_state', '1 for the state that the worker of a queue has, else 0', () =>
        [...this.#readings.workers].flatMap(([queue, current]) =>
          WORKER_STATES.map((state) => {
            return { labels: { queue, state }, value: Number(state === current) };
          }),
        ),
      ),
      gauge(
        'jobgate_store_memory_ratio',
        'The part of its memory that the store uses, from 0 to 1',
        () => {
          const { memory } = this.#readings;
          return memory === undefined ? [] : [{ labels: {}, value: memory.used / memory.limit }];
        },
      ),
      gauge(
        'jobgate_store_dead_rows',
        'Rows of a table of PostgreSQL that are dead and not yet removed',
        () =>
          this.#ofDatabase(({ deadRows }) =>
            Object.entries(deadRows).map(([table, value]) => ({ labels: { table }, value })),
          ),
      ),
      gauge(
        'jobgate_store_oldest_snapshot_seconds',
        'How long the oldest transaction of another program has run in the database; 0 without one',
        () =>
          this.#ofDatabase(({ oldestSnapshot }) => {
            const age = oldestSnapshot === null ? 0 : oldestSnapshot.ageMs;
            return age === null ? [] : [{ labels: {}, value: age / 1000 }];
          }),
      ),
      gauge(
        'jobgate_store_connections_ratio',
        'The part of the connections of the PostgreSQL server that are used, from 0 to 1',
        () =>
          this.#ofDatabase(({ connections: { used, most } }) => [
            { labels: {}, value: used / most },
          ]),
      ),
      gauge(
        'jobgate_store_polling',
        '1 when PostgreSQL does not notify this replica, which asks for changes instead, else 0',
        () => this.#ofDatabase(({ isNotified }) => [{ labels: {}, value: Number(!isNotified) }]),
      ),
      gauge(
        'jobgate_store_folding_failed',
        '1 when PostgreSQL refuses this replica to fold the log, which grows without end, else 0',
        () => this.#ofDatabase(({ isFolded }) => [{ labels: {}, value: Number(!isFolded) }]),
      ),
      gauge(
        'jobgate_store_behind_seconds',
        'PostgreSQL: for how long this replica lacked what others changed, at most, within the last minute',
        () => this.#ofDatabase(({ behindMs }) => [{ labels: {}, value: behindMs / 1000 }]),
      ),
    ];
  }

  #ofDatabase(samples: (database: DatabaseFacts) => readonly Sample[]): readonly Sample[] {
    const { database } = this.#readings;
    return database === null ? [] : samples(database);
  }

  #ofQueues(
    samples: (queue: QueueName, glance: QueueGlance) => readonly Sample[],
  ): readonly Sample[] {
    return [...this.#readings.glances].flatMap(([queue, glance]) => samples(queue, glance));
  }

  async #readingsOf(names: readonly QueueName[]): Promise<Omit<Readings, 'database'>> {
    const { directory, inForce, demands, health } = this.#dependencies;
    const [glances, wanted, workers, memory] = await Promise.all([
      directory.glances(names),
      demands.of(names),
      inForce.workersOf(names),
      health.memory(),
    ]);
    const known = new Map<QueueName, QueueGlance>();
    names.forEach((queue, index) => known.set(queue, glances[index] ?? NO_QUEUE));
    const served = names.filter((queue) => workers.has(queue));
    const standings = await this.#dependencies.standings.standings(
      served.map((queue) => ({ queue })),
    );
    const breakers = new Map(served.map((queue, index) => [queue, standings[index]?.breaker]));
    const states = [...workers].map(([queue, worker]) => {
      const trouble = { breaker: breakers.get(queue), hold: known.get(queue)?.hold };
      return [queue, conditionOf(worker, trouble).state] as const;
    });
    return {
      glances: known,
      demands: new Map(names.map((queue, index) => [queue, wanted[index] ?? NO_DEMAND])),
      workers: new Map(states),
      memory,
    };
  }

  /** Returns undefined, and logs a line, after a defect. */
  async #unlessAway<Value>(reading: Promise<Value>): Promise<Value | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (!isStoreUnavailable(error)) {
        this.#dependencies.logger.error('Reading the state of queues failed', { error });
      }
      return undefined;
    }
  }
}
