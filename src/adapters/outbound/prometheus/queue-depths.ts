import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { QueuePort, QueueSummary } from '../../../application/ports/queue-port.ts';
import { isStoreUnavailable } from '../../../domain/errors.ts';
import { JOB_STATUSES } from '../../../domain/jobs/job-status.ts';
import type { Metric } from './metric.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

/** How many queues the store is asked for at once. */
const READS_AT_ONCE = 4;

/** How long reading may take in all, in milliseconds. */
const READING_TIME = 1000;

/** What queues hold, as the store said when it was asked last. A queue of which it said nothing is left out. */
export class QueueDepths {
  readonly #queues: QueuePort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  #summaries: ReadonlyMap<QueueName, QueueSummary> = new Map();

  constructor(queues: QueuePort, clock: ClockPort, logger: LoggerPort) {
    this.#queues = queues;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Asks the store for what those queues hold, as far as it answers in time. */
  async read(names: readonly QueueName[]): Promise<void> {
    const summaries = new Map<QueueName, QueueSummary>();
    const waiting = names.values();
    const ended = new AbortController();
    const read = async (): Promise<void> => {
      for (const name of waiting) {
        if (ended.signal.aborted) return;
        summaries.set(name, await this.#queues.summary(name));
      }
    };
    const reads = Promise.all(Array.from({ length: READS_AT_ONCE }, read)).catch(
      (error: unknown) => {
        if (isStoreUnavailable(error)) return;
        this.#logger.error('Reading the depth of queues failed', { error });
      },
    );
    await Promise.race([reads, this.#clock.sleep(READING_TIME, ended.signal)]);
    ended.abort();
    this.#summaries = new Map(summaries);
  }

  get metrics(): readonly Metric[] {
    return [
      {
        name: 'jobgate_jobs',
        help: 'Jobs in the store by queue and state, of the most active queues',
        type: 'gauge',
        aggregator: 'max',
        samples: () =>
          [...this.#summaries].flatMap(([queue, { counts }]) =>
            JOB_STATUSES.map((state) => ({ labels: { queue, state }, value: counts[state] })),
          ),
      },
      {
        name: 'jobgate_oldest_waiting_seconds',
        help: 'For how long the oldest waiting or prioritized job could have started; 0 without one',
        type: 'gauge',
        aggregator: 'max',
        samples: () =>
          [...this.#summaries].map(([queue, { waitingSince }]) => {
            const age = waitingSince === undefined ? 0 : this.#clock.now() - waitingSince;
            return { labels: { queue }, value: Math.max(0, age) / 1000 };
          }),
      },
    ];
  }
}
