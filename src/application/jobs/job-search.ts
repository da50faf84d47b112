import { checkShape } from '../../domain/check-shape.ts';
import { filteredFields, matchesFilter, type JobFilter } from '../../domain/job-filter.ts';
import { inListingOrder, JOB_STATUSES } from '../../domain/job-status.ts';
import type { Job } from '../../domain/job.ts';
import { piecesOf } from '../../domain/pieces.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import { searchLength } from '../../domain/search-length.ts';
import type { JobScanPort, ScannedJob } from '../ports/job-scan-port.ts';
import type { Pieces, QueuePort } from '../ports/queue-port.ts';

/** Most jobs that one call looks at. */
const MOST_SCANNED = 1000;

/** Jobs that are read at once. */
const JOBS_PER_PIECE = 8;

/** Which jobs are looked for. */
export interface SearchQuery {
  readonly filter: JobFilter;
  /** Where an earlier call for the same ended; null is the beginning. */
  readonly cursor: string | null;
  /** Most jobs to return. */
  readonly length: number;
}

export interface SearchPage {
  /** As each is when its piece is read. */
  readonly jobs: Pieces<Job>;
  /** How many jobs this call looked at. */
  readonly scanned: number;
  /** Where the next call goes on; null is the end. */
  readonly cursor: string | null;
}

/** Finds jobs by looking at them, some at each call. What a search may miss is said at JobScanPort. */
export class JobSearch {
  readonly #scan: JobScanPort;
  readonly #queues: QueuePort;

  constructor(scan: JobScanPort, queues: QueuePort) {
    this.#scan = scan;
    this.#queues = queues;
  }

  /** @throws DomainError `invalid-request`. */
  async search(queue: QueueName, query: SearchQuery): Promise<SearchPage> {
    const { filter, length } = query;
    checkShape(searchLength, length, 'length');
    const states = inListingOrder(filter.statuses ?? JOB_STATUSES);
    const fields = filteredFields(filter);
    const found = new Map<string, ScannedJob>();
    let scanned = 0;
    let cursor = query.cursor;
    do {
      const { jobs, cursorAfter } = await this.#scan.scan(queue, { states, fields, cursor });
      let looked = 0;
      while (looked < jobs.length && scanned < MOST_SCANNED && found.size < length) {
        const job = jobs[looked];
        if (job !== undefined && matchesFilter(filter, job)) found.set(job.id, job);
        looked += 1;
        scanned += 1;
      }
      cursor = cursorAfter(looked);
    } while (cursor !== null && scanned < MOST_SCANNED && found.size < length);
    return { jobs: this.#read(queue, filter, [...found.values()]), scanned, cursor };
  }

  /** A job that changed meanwhile, so that it does not match any more, is left out. */
  async *#read(
    queue: QueueName,
    filter: JobFilter,
    found: readonly ScannedJob[],
  ): AsyncGenerator<readonly Job[]> {
    for (const some of piecesOf(found, JOBS_PER_PIECE)) {
      const jobs = await Promise.all(
        some.map(async (scanned) => {
          const job = await this.#queues.find(queue, scanned.id);
          return job && matchesFilter(filter, { ...scanned, ...job }) ? job : undefined;
        }),
      );
      yield jobs.filter((job) => job !== undefined);
    }
  }
}
