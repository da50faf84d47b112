import type {
  JobScanPort,
  OldestJobs,
  ScannedField,
  ScannedJob,
  ScanQuery,
  ScanStep,
} from '../../../application/ports/job-scan-port.ts';
import type { JobState } from '../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { StoreTimer } from './store-timer.ts';

/** Scans as the store has them, with the time that each step takes. */
export class MeasuredJobScan implements JobScanPort {
  readonly #scan: JobScanPort;
  readonly #timer: StoreTimer;

  constructor(scan: JobScanPort, timer: StoreTimer) {
    this.#scan = scan;
    this.#timer = timer;
  }

  scan(queue: QueueName, query: ScanQuery): Promise<ScanStep> {
    return this.#timer.time(this.#scan.scan(queue, query));
  }

  oldest(queue: QueueName, states: readonly JobState[], limit: number): Promise<OldestJobs> {
    return this.#timer.time(this.#scan.oldest(queue, states, limit));
  }

  /** Its pieces are read as they are wanted, which says nothing of the store. */
  look(
    queue: QueueName,
    ids: readonly string[],
    fields: readonly ScannedField[],
  ): AsyncIterable<readonly ScannedJob[]> {
    return this.#scan.look(queue, ids, fields);
  }
}
