import type {
  InvalidWorkerRecord,
  StoredWorkers,
  WorkerChange,
  WorkerStorePort,
} from '../../../../application/ports/worker-store-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { tooManyWorkers } from '../../../../domain/errors.ts';
import { MOST_WORKERS, type Worker, type WorkerShape } from '../../../../domain/workers/worker.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { luaScript } from '../lua/load.ts';
import { isWorker, readWorkerRecord } from './worker-record.ts';
import { WorkerRecords } from './worker-records.ts';

const saveRecordScript = luaScript('save-worker-record');
const replaceRecordScript = luaScript('replace-record');

/** The answer of the script that replaces a record, when a new one would be one too many. */
const TOO_MANY = -1;

/** Workers in one hash, WORKER_METADATA_KEY, with a field for each queue. */
export class RedisWorkerStore implements WorkerStorePort {
  readonly #commands: StoreCommands;
  readonly #key: string;
  readonly #shape: WorkerShape;
  readonly #most: number;
  readonly #records: WorkerRecords;

  /** @param most how many workers there may be. */
  constructor(commands: StoreCommands, key: string, shape: WorkerShape, most = MOST_WORKERS) {
    this.#commands = commands;
    this.#key = key;
    this.#shape = shape;
    this.#most = most;
    this.#records = new WorkerRecords(shape);
  }

  async save(worker: Worker): Promise<void> {
    const args = [worker.queue, JSON.stringify(worker), this.#most];
    const saved = await this.#commands.scripts.run(saveRecordScript, [this.#key], args);
    if (saved === 0) throw tooManyWorkers(this.#most);
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
      const args = [queue, text, JSON.stringify(changed), this.#most];
      const replaced = await this.#commands.scripts.run(replaceRecordScript, [this.#key], args);
      if (replaced === TOO_MANY) throw tooManyWorkers(this.#most);
      if (replaced === 1) return changed;
    }
  }

  async queues(): Promise<readonly QueueName[]> {
    const names = await this.#run((client) => client.hkeys(this.#key));
    return names as QueueName[];
  }

  async findEach(queues: readonly QueueName[]): Promise<StoredWorkers> {
    const workers: Worker[] = [];
    const invalid: InvalidWorkerRecord[] = [];
    if (queues.length === 0) return { workers, invalid };
    const texts = await this.#run((client) => client.hmget(this.#key, ...queues));
    for (const [place, queue] of queues.entries()) {
      const text = texts[place] ?? null;
      if (text === null) {
        this.#records.forget(queue);
        continue;
      }
      const read = this.#records.read(queue, text);
      if (isWorker(read)) workers.push(read);
      else invalid.push(read);
    }
    return { workers, invalid };
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
