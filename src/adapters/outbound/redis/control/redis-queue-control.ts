import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  QueueControlPort,
  QueueRemoval,
} from '../../../../application/ports/queue-control-port.ts';
import { onceChanged } from '../../../../application/running/once-changed.ts';
import type { Deduplication } from '../../../../domain/jobs/deduplication.ts';
import type { DrainOptions } from '../../../../domain/queues/drain-options.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Stop } from '../../../../domain/values/stop.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { stopText } from '../layout/stop-text.ts';
import { endHold, holdQueue, pauseQueue, resumeQueue } from '../scripts/attempts.ts';
import { readDeduplication } from '../scripts/reading.ts';
import { QueueDraining } from './queue-draining.ts';
import { QueueRemoving } from './queue-removing.ts';

/** Whole queues in a Redis-compatible store, as BullMQ's own clients know them. */
export class RedisQueueControl implements QueueControlPort {
  readonly #store: StoreCommands;
  readonly #draining: QueueDraining;
  readonly #removing: QueueRemoving;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#draining = new QueueDraining(store, clock);
    this.#removing = new QueueRemoving(store, this.#draining);
  }

  async pause(queue: QueueName, stop?: Stop): Promise<void> {
    await this.#store.callOf(queue, pauseQueue, { stop: stopText(stop) });
  }

  /** Puts back, in several steps, the jobs that BullMQ 5 moved aside when it paused the queue. */
  async resume(queue: QueueName): Promise<void> {
    if (await this.#resume(queue, true)) await onceChanged(this.#resumeRest(queue));
  }

  async #resumeRest(queue: QueueName): Promise<void> {
    while (await this.#resume(queue, false));
  }

  /** @returns whether jobs are left that were moved aside. */
  async #resume(queue: QueueName, isFirst: boolean): Promise<boolean> {
    return (await this.#store.callOf(queue, resumeQueue, { isFirst })) !== 0;
  }

  hold(queue: QueueName, duration: number, stop?: Stop): Promise<number> {
    return this.#store.callOf(queue, holdQueue, { duration, stop: stopText(stop) });
  }

  endHold(queue: QueueName): Promise<boolean> {
    return this.#store.callOf(queue, endHold);
  }

  drain(queue: QueueName, options: DrainOptions): Promise<number> {
    return this.#draining.drain(this.#store.keysOf(queue), options);
  }

  remove(queue: QueueName, isForced: boolean): Promise<QueueRemoval> {
    return this.#removing.remove(this.#store.keysOf(queue), isForced);
  }

  async deduplication(queue: QueueName, id: string): Promise<Deduplication | undefined> {
    const holder = deduplicationKey(this.#store.keysOf(queue), id);
    const answer = await this.#store.call(readDeduplication, { holder });
    if (answer === undefined) return undefined;
    const [jobId, ttl] = answer;
    return { id, jobId, ttl: ttl < 0 ? null : ttl };
  }

  /** As in the library, a job that is due to be added after the active one is still added. */
  async endDeduplication(queue: QueueName, id: string): Promise<boolean> {
    const key = deduplicationKey(this.#store.keysOf(queue), id);
    return (await this.#store.run((client) => client.del(key))) === 1;
  }
}

/** The key under which the library keeps the id of the job that holds a deduplication id. */
function deduplicationKey({ jobPrefix }: QueueKeys, id: string): string {
  return `${jobPrefix}de:${id}`;
}
