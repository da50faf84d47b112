import type {
  StoredWorkers,
  WorkerChange,
  WorkerStorePort,
} from '../../../../application/ports/worker-store-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Worker, WorkerShape } from '../../../../domain/workers/worker.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { luaScript } from '../lua/load.ts';
import { isWorker, readWorkerRecord } from './worker-record.ts';
import { WorkerRecords } from './worker-records.ts';

const replaceRecordScript = luaScript('replace-worker-record');

/** Workers in one hash, WORKER_METADATA_KEY, with a field for each queue. */
export class RedisWorkerStore implements WorkerStorePort {
  readonly #commands: StoreCommands;
  readonly #key: string;
  readonly #shape: WorkerShape;
  readonly #records: WorkerRecords;

  constructor(commands: StoreCommands, key: string, shape: WorkerShape) {
    this.#commands = commands;
    this.#key = key;
    this.#shape = shape;
    this.#records = new WorkerRecords(shape);
  }

  async save(worker: Worker): Promise<void> {
    const record = JSON.stringify(worker);
    await this.#run((client) => client.hset(this.#key, worker.queue, record));
  }

  async remove(queue: QueueName): Promise<boolean> {
    const removed = await this.#run((client) => client.hdel(this.#key, queue));
    return removed === 1;
  }

  async find(queue: QueueName): Promise<Worker | undefined> {
    return (await this.#findRecord(queue)).worker;
  }

  async change(queue: QueueName, change: WorkerChange): Promise<Worker | undefined> {
    for (;;) {
      const { text, worker } = await this.#findRecord(queue);
      const changed = change(worker);
      if (changed === undefined) return worker;
      const args = [queue, text, JSON.stringify(changed)];
      const replaced = await this.#commands.scripts.run(replaceRecordScript, [this.#key], args);
      if (replaced === 1) return changed;
    }
  }

  async all(): Promise<StoredWorkers> {
    const records = await this.#run((client) => client.hgetall(this.#key));
    return this.#records.all(records);
  }

  async queues(): Promise<readonly QueueName[]> {
    const names = await this.#run((client) => client.hkeys(this.#key));
    return names as QueueName[];
  }

  async findEach(queues: readonly QueueName[]): Promise<readonly (Worker | undefined)[]> {
    if (queues.length === 0) return [];
    const texts = await this.#run((client) => client.hmget(this.#key, ...queues));
    return queues.map((queue, index) => {
      const text = texts[index] ?? null;
      const read = text === null ? undefined : this.#records.read(queue, text);
      return read !== undefined && isWorker(read) ? read : undefined;
    });
  }

  /** The record of a queue, empty when there is none, and its worker if the record can be read as one. */
  async #findRecord(queue: QueueName): Promise<{ text: string; worker: Worker | undefined }> {
    const text = (await this.#run((client) => client.hget(this.#key, queue))) ?? '';
    const read = text === '' ? undefined : readWorkerRecord(queue, text, this.#shape);
    return { text, worker: read !== undefined && isWorker(read) ? read : undefined };
  }

  #run<T>(command: (client: StoreCommands['client']) => Promise<T>): Promise<T> {
    return this.#commands.errors.run(() => command(this.#commands.client));
  }
}
