import type { InvalidWorkerRecord } from '../../../../application/ports/worker-store-port.ts';
import type { QueueNameLimits } from '../../../../domain/queue-name.ts';
import type { Worker } from '../../../../domain/worker.ts';
import { readWorkerRecord } from './worker-record.ts';

interface ReadRecord {
  readonly text: string;
  readonly result: Worker | InvalidWorkerRecord;
}

/**
 * Reads the whole hash again and again, but each record only when its text changed: with thousands of
 * workers most of them stay as they are.
 */
export class WorkerRecords {
  readonly #limits: QueueNameLimits;
  #last: ReadonlyMap<string, ReadRecord> = new Map();

  constructor(limits: QueueNameLimits) {
    this.#limits = limits;
  }

  /** An unchanged record gives the very object that it gave before. */
  all(records: Readonly<Record<string, string>>): (Worker | InvalidWorkerRecord)[] {
    const read = new Map<string, ReadRecord>();
    for (const [queue, text] of Object.entries(records)) {
      const last = this.#last.get(queue);
      const unchanged = last?.text === text;
      read.set(
        queue,
        unchanged ? last : { text, result: readWorkerRecord(queue, text, this.#limits) },
      );
    }
    this.#last = read;
    return [...read.values()].map(({ result }) => result);
  }
}
