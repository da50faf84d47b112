import type { Caller } from '../../domain/access/caller.ts';
import { existing, invalidRequest, notFound } from '../../domain/errors.ts';
import { isPushWorker, type PushQueueSettings } from '../../domain/messages/push-queue.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { byteOrder } from '../../domain/values/byte-order.ts';
import { DEFAULT_CONCURRENCY } from '../../domain/workers/worker-options.ts';
import type { KnownWorkers } from '../kept/known-workers.ts';
import type { Queues } from '../queues/queues.ts';
import type { QueueView, ViewedQueue } from '../queues/queue-view.ts';
import type { PushQueues } from './push-queues.ts';

export type ListedPushQueue = ReturnType<typeof listed>;

export interface PushQueueListDependencies {
  readonly workers: Pick<KnownWorkers, 'all'>;
  readonly view: Pick<QueueView, 'of'>;
  readonly queues: Pick<Queues, 'pause' | 'resume' | 'remove'>;
  readonly pushQueues: Pick<PushQueues, 'exists' | 'make'>;
}

/** The queues that were made for messages. Methods throw DomainError `store-unavailable`. */
export class PushQueueList {
  readonly #dependencies: PushQueueListDependencies;

  constructor(dependencies: PushQueueListDependencies) {
    this.#dependencies = dependencies;
  }

  /** The queues whose messages a caller may see: first that of messages that were published to no queue. */
  async names(caller: Caller): Promise<readonly QueueName[]> {
    const workers = (await this.#dependencies.workers.all()).filter(isPushWorker);
    const names = workers.map(({ queue }) => queue).sort(byteOrder);
    return [PUSH_QUEUE, ...names.filter((name) => name !== PUSH_QUEUE)].filter(caller.mayUse);
  }

  /** By name, without the queue of messages that were published to none. */
  async list(caller: Caller): Promise<readonly ListedPushQueue[]> {
    const names = (await this.names(caller)).filter((name) => name !== PUSH_QUEUE);
    return (await this.#dependencies.view.of(names)).map(listed);
  }

  /** @throws DomainError `queue-not-found`, or `queue-taken`. */
  async read(queue: QueueName): Promise<ListedPushQueue> {
    await this.#check(queue);
    const [viewed] = await this.#dependencies.view.of([queue]);
    return listed(existing(viewed, 'queue'));
  }

  /** Makes a queue, or changes it. @throws DomainError `invalid-request` for that of no queue, or `queue-taken`. */
  async save(queue: QueueName, settings: PushQueueSettings, caller: Caller): Promise<void> {
    if (queue === PUSH_QUEUE) {
      throw invalidRequest(
        `${queue} is the queue of messages that are published to none`,
        'queueName',
      );
    }
    const { parallelism = 1, paused } = settings;
    const { pushQueues, queues } = this.#dependencies;
    await pushQueues.make(queue, parallelism);
    if (paused === true) await queues.pause(queue, {}, caller);
    if (paused === false) await queues.resume(queue);
  }

  /** @throws DomainError `queue-not-found`, or `queue-taken`. */
  async pause(queue: QueueName, caller: Caller): Promise<void> {
    await this.#check(queue);
    await this.#dependencies.queues.pause(queue, {}, caller);
  }

  /** @throws DomainError `queue-not-found`, or `queue-taken`. */
  async resume(queue: QueueName): Promise<void> {
    await this.#check(queue);
    await this.#dependencies.queues.resume(queue);
  }

  /** Removes a queue with its messages. @throws DomainError `queue-not-found`, or `queue-taken`. */
  async remove(queue: QueueName): Promise<void> {
    await this.#check(queue);
    await this.#dependencies.queues.remove(queue, { confirm: queue, force: true });
  }

  async #check(queue: QueueName): Promise<void> {
    const isThere = queue !== PUSH_QUEUE && (await this.#dependencies.pushQueues.exists(queue));
    if (!isThere) throw notFound('queue');
  }
}

/** A queue as clients see it. Times are epoch ms. */
function listed({ queue, glance, worker }: ViewedQueue) {
  const { waiting, prioritized, delayed, active } = glance.counts;
  return {
    name: queue,
    parallelism: worker?.opts?.concurrency ?? DEFAULT_CONCURRENCY,
    paused: glance.isPaused,
    /** How many messages are yet to be delivered. */
    lag: waiting + prioritized + delayed + active,
    createdAt: worker?.registeredAt ?? 0,
  };
}
