import type { QueueName } from '../../../../domain/queue-name.ts';
import type { JobsOptions, RepeatOptions } from 'bullmq';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { JobFacts } from '../../../../domain/job.ts';
import type { RedisClient } from '../connection/redis-client.ts';

/**
 * Keeps the job schedulers of native producers going. In BullMQ the consumer that takes a scheduled job
 * plans the next one of its scheduler; a consumer that does not would end the schedule with its first job.
 */
export class NativeSchedulers {
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #logger: LoggerPort;

  constructor(client: RedisClient, prefix: string, logger: LoggerPort) {
    this.#client = client;
    this.#prefix = prefix;
    this.#logger = logger;
  }

  /** Plans the job that follows `job`. A schedule that cannot go on is logged and ends; the job runs. */
  async planNext(queue: QueueName, schedulerId: string, job: JobFacts): Promise<void> {
    // Loaded when it is needed, which in most places is never: it brings the whole library.
    const { JobScheduler } = await import('./library-job-scheduler.ts');
    const scheduler = new JobScheduler(queue, {
      connection: this.#client,
      prefix: this.#prefix,
      skipVersionCheck: true,
      skipWaitingForReady: true,
    });
    scheduler.on('error', () => undefined);
    try {
      await scheduler.upsertJobScheduler(
        schedulerId,
        job.opts['repeat'] as RepeatOptions,
        job.name,
        job.data,
        job.opts as JobsOptions,
        { override: false, producerId: job.id },
      );
    } catch (error) {
      this.#logger.error('The next job of a scheduler could not be planned', {
        queue,
        scheduler: schedulerId,
        error,
      });
    } finally {
      await scheduler.close();
    }
  }
}
