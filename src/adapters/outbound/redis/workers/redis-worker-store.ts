import type {
  StoredWorkers,
  WorkerStorePort,
} from '../../../../application/ports/worker-store-port.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { Worker, WorkerShape } from '../../../../domain/worker.ts';
import type { RedisClient } from '../connection/redis-client.ts';
import type { StoreErrors } from '../connection/store-errors.ts';
import { isWorker, readWorkerRecord } from './worker-record.ts';
import { WorkerRecords } from './worker-records.ts';

/** Workers in one hash, WORKER_METADATA_KEY, a field for each queue. */
export class RedisWorkerStore implements WorkerStorePort {
  readonly #client: RedisClient;
  readonly #key: string;
  readonly #shape: WorkerShape;
  readonly #errors: StoreErrors;
  readonly #records: WorkerRecords;

  constructor(client: RedisClient, key: string, shape: WorkerShape, errors: StoreErrors) {
    this.#client = client;
    this.#key = key;
    this.#shape = shape;
    this.#errors = errors;
    this.#records = new WorkerRecords(shape);
  }

  async save(worker: Worker): Promise<void> {
    const record = JSON.stringify(worker);
    await this.#errors.run(() => this.#client.hset(this.#key, worker.queue, record));
  }

  async remove(queue: QueueName): Promise<boolean> {
    const removed = await this.#errors.run(() => this.#client.hdel(this.#key, queue));
    return removed === 1;
  }

  async find(queue: QueueName): Promise<Worker | undefined> {
    const text = await this.#errors.run(() => this.#client.hget(this.#key, queue));
    if (text === null) return undefined;
    const read = readWorkerRecord(queue, text, this.#shape);
    return isWorker(read) ? read : undefined;
  }

  async all(): Promise<StoredWorkers> {
    const records = await this.#errors.run(() => this.#client.hgetall(this.#key));
    return this.#records.all(records);
  }

  async queues(): Promise<readonly QueueName[]> {
    const names = await this.#errors.run(() => this.#client.hkeys(this.#key));
    return names as QueueName[];
  }

  async findEach(queues: readonly QueueName[]): Promise<readonly (Worker | undefined)[]> {
    if (queues.length === 0) return [];
    const texts = await this.#errors.run(() => this.#client.hmget(this.#key, ...queues));
    return queues.map((queue, index) => {
      const text = texts[index] ?? null;
      const read = text === null ? undefined : this.#records.read(queue, text);
      return read !== undefined && isWorker(read) ? read : undefined;
    });
  }
}
