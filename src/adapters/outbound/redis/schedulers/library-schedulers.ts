import type { JobScheduler } from 'bullmq';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { RedisClient } from '../connection/redis-client.ts';

/**
 * BullMQ's own class for the schedulers of a queue. It is loaded when it is needed, which in most places is never:
 * it brings the whole library.
 */
export class LibrarySchedulers {
  readonly #client: RedisClient;
  readonly #prefix: string;

  constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  /** @param firstSlot when the first job of a cron pattern is due, for whoever stores one. */
  async use<Result>(
    queue: QueueName,
    work: (schedulers: JobScheduler) => Promise<Result>,
    firstSlot?: () => number | undefined,
  ): Promise<Result> {
    const { JobScheduler } = await import('./library-job-scheduler.ts');
    const schedulers = new JobScheduler(queue, {
      connection: this.#client,
      prefix: this.#prefix,
      skipVersionCheck: true,
      skipWaitingForReady: true,
      ...(firstSlot && { settings: { repeatStrategy: firstSlot } }),
    });
    schedulers.on('error', () => undefined);
    try {
      return await work(schedulers);
    } finally {
      await schedulers.close();
    }
  }
}
