import { loggableReason } from '../../domain/loggable-reason.ts';
import type { Worker } from '../../domain/worker.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { Attempt } from '../ports/job-consumer-port.ts';
import type { LogFields, LoggerPort } from '../ports/logger-port.ts';
import type { AttemptResult } from './attempt-runner.ts';

/** Most lines about failed jobs of a queue within a second; the rest is counted. */
const MOST_LINES = 10;
const SECOND = 1000;

/** What the log says of the jobs of one queue. */
export class JobLog {
  readonly #queue: string;
  readonly #logger: LoggerPort;
  readonly #clock: ClockPort;
  /** When (epoch ms) the last lines about failed jobs were written, oldest first. */
  readonly #lines: number[] = [];
  #untold = 0;

  constructor(queue: string, logger: LoggerPort, clock: ClockPort) {
    this.#queue = queue;
    this.#logger = logger;
    this.#clock = clock;
  }

  /** @param held false when the job had been given to somebody else, so that nothing was recorded. */
  ended(attempt: Attempt, worker: Worker, result: AttemptResult, held: boolean): void {
    const { kind } = result.ending;
    if (!held) {
      const facts = this.#facts(attempt);
      this.#logger.warn('A job was given to somebody else, its result is dropped', facts);
    } else if (kind === 'failed') this.#failed(attempt, worker, result);
    else if (!this.#logger.writesDebug) return;
    else if (kind === 'completed') this.#logger.debug('Job completed', this.#facts(attempt));
    else {
      const { delay } = result.ending;
      const facts = { ...this.#facts(attempt), delay, ...why(attempt, worker, result) };
      this.#logger.debug('Job will be retried', facts);
    }
  }

  /** Tells now of those that had no line of their own. */
  flush(): void {
    if (this.#untold === 0) return;
    const jobs = this.#untold;
    this.#untold = 0;
    this.#logger.warn('More jobs failed', { queue: this.#queue, jobs });
  }

  #failed(attempt: Attempt, worker: Worker, result: AttemptResult): void {
    const now = this.#clock.now();
    const [oldest = -Infinity] = this.#lines;
    if (this.#lines.length === MOST_LINES && now - oldest < SECOND) {
      this.#untold += 1;
      if (this.#untold === 1) void this.#flushLater();
      return;
    }
    if (this.#lines.length === MOST_LINES) this.#lines.shift();
    this.#lines.push(now);
    const { job } = attempt;
    const facts = { queue: this.#queue, job: job.id, attempts: job.attemptsMade + 1 };
    this.#logger.warn('Job failed', { ...facts, ...why(attempt, worker, result) });
  }

  async #flushLater(): Promise<void> {
    await this.#clock.sleep(SECOND);
    this.flush();
  }

  #facts({ job }: Attempt): LogFields {
    return { queue: this.#queue, job: job.id, attempt: job.attemptsMade + 1 };
  }
}

function why(
  { job, token }: Attempt,
  { endpoint }: Worker,
  { ending, status }: AttemptResult,
): LogFields {
  if (ending.kind === 'completed') return {};
  const reason = loggableReason(ending.reason, status, { endpoint, job, token });
  return { ...(status !== undefined && { status }), reason };
}
