import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  QueueControlPort,
  QueueRemoval,
} from '../../../../application/ports/queue-control-port.ts';
import { onceChanged } from '../../../../application/running/once-changed.ts';
import type { Deduplication } from '../../../../domain/jobs/deduplication.ts';
import type { DrainOptions } from '../../../../domain/queues/drain-options.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import {
  endHold,
  holdQueue,
  pauseQueue,
  readDeduplication,
  resumeQueue,
} from '../scripts/control.ts';
import { QueueDraining } from './queue-draining.ts';
import { QueueRemoving } from './queue-removing.ts';

/** Whole queues in a Redis-compatible store, as BullMQ's own clients know them. */
export class RedisQueueControl implements QueueControlPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #draining: QueueDraining;
  readonly #removing: QueueRemoving;

  constructor(commands: StoreCommands, keys: QueueKeysCache, clock: ClockPort) {
    this.#commands = commands;
    this.#keys = keys;
    this.#draining = new QueueDraining(commands, clock);
    this.#removing = new QueueRemoving(commands, this.#draining);
  }

  async pause(queue: QueueName): Promise<void> {
    await this.#commands.call(pauseQueue, this.#keys.get(queue));
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
    return (await this.#commands.call(resumeQueue, this.#keys.get(queue), { isFirst })) !== 0;
  }

  hold(queue: QueueName, duration: number): Promise<number> {
    return this.#commands.call(holdQueue, this.#keys.get(queue), { duration });
  }

  endHold(queue: QueueName): Promise<boolean> {
    return this.#commands.call(endHold, this.#keys.get(queue));
  }

  drain(queue: QueueName, options: DrainOptions): Promise<number> {
    return this.#draining.drain(this.#keys.get(queue), options);
  }

  remove(queue: QueueName, isForced: boolean): Promise<QueueRemoval> {
    return this.#removing.remove(this.#keys.get(queue), isForced);
  }

  async deduplication(queue: QueueName, id: string): Promise<Deduplication | undefined> {
    const holder = deduplicationKey(this.#keys.get(queue), id);
    const answer = await this.#commands.call(readDeduplication, { holder });
    if (answer === undefined) return undefined;
    const [jobId, ttl] = answer;
    return { id, jobId, ttl: ttl < 0 ? null : ttl };
  }

  /** As in the library, a job that is due to be added after the active one is still added. */
  async endDeduplication(queue: QueueName, id: string): Promise<boolean> {
    const key = deduplicationKey(this.#keys.get(queue), id);
    const { client, errors } = this.#commands;
    return (await errors.run(() => client.del(key))) === 1;
  }
}

/** The key under which the library keeps the id of the job that holds a deduplication id. */
function deduplicationKey({ jobPrefix }: QueueKeys, id: string): string {
  return `${jobPrefix}de:${id}`;
}
