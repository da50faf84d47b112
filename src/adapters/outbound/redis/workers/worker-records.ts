import type {
  InvalidWorkerRecord,
  StoredWorkers,
} from '../../../../application/ports/worker-store-port.ts';
import type { Worker, WorkerShape } from '../../../../domain/workers/worker.ts';
import { isWorker, readWorkerRecord } from './worker-record.ts';

interface ReadRecord {
  readonly text: string;
  readonly result: Worker | InvalidWorkerRecord;
}

/**
 * Reads the whole hash each time, but parses a record only if its text has changed: of thousands of workers, most stay
 * the same.
 */
export class WorkerRecords {
  readonly #shape: WorkerShape;
  readonly #read = new Map<string, ReadRecord>();

  constructor(shape: WorkerShape) {
    this.#shape = shape;
  }

  /** An unchanged record returns the same object as before. */
  all(records: Readonly<Record<string, string>>): StoredWorkers {
    const workers: Worker[] = [];
    const invalid: InvalidWorkerRecord[] = [];
    for (const queue of Object.keys(records)) {
      const result = this.read(queue, records[queue] ?? '');
      if (isWorker(result)) workers.push(result);
      else invalid.push(result);
    }
    if (this.#read.size > workers.length + invalid.length) this.#forgetAllBut(records);
    return { workers, invalid };
  }

  read(queue: string, text: string): Worker | InvalidWorkerRecord {
    const last = this.#read.get(queue);
    if (last?.text === text) return last.result;
    const result = readWorkerRecord(queue, text, this.#shape);
    this.#read.set(queue, { text, result });
    return result;
  }

  #forgetAllBut(records: Readonly<Record<string, string>>): void {
    for (const queue of this.#read.keys()) {
      if (!Object.hasOwn(records, queue)) this.#read.delete(queue);
    }
  }
}
