import type { JobsOptions, RepeatOptions } from 'bullmq';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { JobFacts } from '../../../../domain/job.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { LibrarySchedulers } from './library-schedulers.ts';
import { noteLastJobScript } from './scheduler-scripts.ts';
import { slotOf } from './scheduler-record.ts';

/**
 * Keeps job schedulers going, of native producers too. In BullMQ the consumer that takes a scheduled job plans the
 * next one of its scheduler; a consumer that does not would end the schedule with its first job.
 */
export class NativeSchedulers {
  readonly #library: LibrarySchedulers;
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #logger: LoggerPort;

  constructor(
    library: LibrarySchedulers,
    commands: StoreCommands,
    keys: QueueKeysCache,
    logger: LoggerPort,
  ) {
    this.#library = library;
    this.#commands = commands;
    this.#keys = keys;
    this.#logger = logger;
  }

  /** Plans the job that follows `job`. A schedule that cannot go on is logged and ends; the job runs. */
  async planNext(queue: QueueName, schedulerId: string, job: JobFacts): Promise<void> {
    const repeat = job.opts['repeat'] as RepeatOptions;
    // As they are stored: what the library does not know is written in words that it takes.
    const opts = JSON.parse(storedOptions(job.opts)) as JobsOptions;
    try {
      await this.#noteLast(queue, schedulerId, job.id);
      if (isLast(repeat, job.id)) return;
      await this.#library.use(queue, (schedulers) =>
        schedulers.upsertJobScheduler(schedulerId, repeat, job.name, job.data, opts, {
          override: false,
          producerId: job.id,
        }),
      );
    } catch (error) {
      this.#logger.error('The next job of a scheduler could not be planned', {
        queue,
        scheduler: schedulerId,
        error,
      });
    }
  }

  async #noteLast(queue: QueueName, schedulerId: string, jobId: string): Promise<void> {
    const record = `${this.#keys.get(queue).repeat}:${schedulerId}`;
    await this.#commands.scripts.run(noteLastJobScript, [record], [jobId]);
  }
}

/** The library plans a slot of `every` behind the end. */
function isLast({ every, endDate }: RepeatOptions, jobId: string): boolean {
  if (every === undefined || endDate === undefined) return false;
  return slotOf(jobId) + every > new Date(endDate).getTime();
}
