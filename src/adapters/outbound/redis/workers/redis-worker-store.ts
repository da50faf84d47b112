import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type {
  StoredWorkers,
  WorkerStorePort,
} from '../../../../application/ports/worker-store-port.ts';
import type { QueueNameLimits } from '../../../../domain/queue-name.ts';
import type { Worker } from '../../../../domain/worker.ts';
import type { RedisClient, RedisConnections } from '../connection/redis-client.ts';
import type { StoreErrors } from '../connection/store-errors.ts';
import { isWorker, readWorkerRecord } from './worker-record.ts';
import { WorkerRecords } from './worker-records.ts';

/**
 * Workers in one hash, WORKER_METADATA_KEY, a field per queue. A message after each change wakes the
 * other replicas; it may get lost, since every replica reads the whole hash now and then anyway.
 */
export class RedisWorkerStore implements WorkerStorePort {
  readonly #connections: RedisConnections;
  readonly #key: string;
  readonly #channel: string;
  readonly #limits: QueueNameLimits;
  readonly #logger: LoggerPort;
  readonly #errors: StoreErrors;
  readonly #records: WorkerRecords;

  constructor(
    connections: RedisConnections,
    key: string,
    limits: QueueNameLimits,
    logger: LoggerPort,
    errors: StoreErrors,
  ) {
    this.#connections = connections;
    this.#key = key;
    this.#channel = `${key}:changed`;
    this.#limits = limits;
    this.#logger = logger;
    this.#errors = errors;
    this.#records = new WorkerRecords(limits);
  }

  async save(worker: Worker): Promise<void> {
    const record = JSON.stringify(worker);
    await this.#errors.run(() => this.#commands.hset(this.#key, worker.queue, record));
    this.#wakeReplicas(worker.queue);
  }

  async remove(queue: string): Promise<boolean> {
    const removed = await this.#errors.run(() => this.#commands.hdel(this.#key, queue));
    this.#wakeReplicas(queue);
    return removed === 1;
  }

  async find(queue: string): Promise<Worker | undefined> {
    const text = await this.#errors.run(() => this.#commands.hget(this.#key, queue));
    if (text === null) return undefined;
    const read = readWorkerRecord(queue, text, this.#limits);
    return isWorker(read) ? read : undefined;
  }

  async all(): Promise<StoredWorkers> {
    const records = await this.#errors.run(() => this.#commands.hgetall(this.#key));
    return this.#records.all(records);
  }

  onChange(listener: () => void): () => void {
    const subscriber = this.#connections.subscriber();
    let ended = false;
    const notify = (): void => {
      if (!ended) listener();
    };
    subscriber.on('message', notify);
    // After a lost connection messages may be missing, and the subscription is new.
    subscriber.on('ready', () => {
      subscriber.subscribe(this.#channel).then(notify, (error: unknown) => {
        if (ended) return;
        this.#logger.warn('Changes of workers cannot be listened to for now', { error });
      });
    });
    return () => {
      ended = true;
      subscriber.disconnect();
    };
  }

  get #commands(): RedisClient {
    return this.#connections.commands;
  }

  #wakeReplicas(queue: string): void {
    this.#commands.publish(this.#channel, queue).catch((error: unknown) => {
      this.#logger.debug('Other replicas could not be woken', { queue, error });
    });
  }
}
