import { createHash } from 'node:crypto';
import type { InvalidWorkerRecord } from '../../../../application/ports/worker-store-port.ts';
import type { Worker, WorkerShape } from '../../../../domain/workers/worker.ts';
import { readWorkerRecord } from './worker-record.ts';

interface ReadRecord {
  /** Of the text, which itself may be large. */
  readonly digest: string;
  readonly result: Worker | InvalidWorkerRecord;
}

/** Parses a record only if its text has changed: of thousands of workers, most stay the same. */
export class WorkerRecords {
  readonly #shape: WorkerShape;
  readonly #read = new Map<string, ReadRecord>();

  constructor(shape: WorkerShape) {
    this.#shape = shape;
  }

  /** An unchanged record returns the same object as before. */
  read(queue: string, text: string): Worker | InvalidWorkerRecord {
    const digest = createHash('sha256').update(text).digest('base64');
    const last = this.#read.get(queue);
    if (last?.digest === digest) return last.result;
    const result = readWorkerRecord(queue, text, this.#shape);
    this.#read.set(queue, { digest, result });
    return result;
  }

  forget(queue: string): void {
    this.#read.delete(queue);
  }
}
