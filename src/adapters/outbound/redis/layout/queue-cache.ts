import type { QueueName } from '../../../../domain/queue-name.ts';
import { LRUCache } from 'lru-cache';
import { queueKeys, type QueueKeys } from './queue-keys.ts';

/** The queues used last, at most `size` of them (QUEUE_CACHE_SIZE). One that fell out is made again. */
export class QueueCache {
  readonly #queues: LRUCache<string, QueueKeys>;
  readonly #prefix: string;

  constructor(prefix: string, size: number) {
    this.#prefix = prefix;
    this.#queues = new LRUCache({ max: size });
  }

  get(queue: QueueName): QueueKeys {
    const cached = this.#queues.get(queue);
    if (cached !== undefined) return cached;
    const keys = queueKeys(this.#prefix, queue);
    this.#queues.set(queue, keys);
    return keys;
  }
}
