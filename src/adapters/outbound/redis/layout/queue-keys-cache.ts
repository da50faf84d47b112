import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { LRUCache } from 'lru-cache';
import { ofAllQueues, queueKeys, type QueueKeys, type QueuesKeys } from './queue-keys.ts';

/** The keys of the most recently used queues, at most `size` of them (QUEUE_CACHE_SIZE). Others are built again. */
export class QueueKeysCache {
  readonly #keys: LRUCache<string, QueueKeys>;
  /** The prefix of the keys of all queues. */
  readonly prefix: string;
  readonly all: QueuesKeys;

  constructor(prefix: string, size: number) {
    this.prefix = prefix;
    this.all = ofAllQueues(prefix);
    this.#keys = new LRUCache({ max: size });
  }

  get(queue: QueueName): QueueKeys {
    const cached = this.#keys.get(queue);
    if (cached !== undefined) return cached;
    const keys = queueKeys(this.prefix, queue, this.all);
    this.#keys.set(queue, keys);
    return keys;
  }
}
