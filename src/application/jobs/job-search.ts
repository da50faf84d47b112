import { integer, nullable, required, string, type Members } from '../../domain/values/shape.ts';
import { invalidRequest } from '../../domain/errors.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { filteredFields, matchesFilter, type JobFilter } from '../../domain/jobs/job-filter.ts';
import { inListingOrder, JOB_STATUSES } from '../../domain/jobs/job-status.ts';
import type { JobSummary } from '../../domain/jobs/job-summary.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkPage } from '../../domain/values/page.ts';
import { searchLength } from '../../domain/jobs/search-length.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { JobPartPort } from '../ports/job-part-port.ts';
import type { JobScanPort } from '../ports/job-scan-port.ts';
import type { JobsQuery, Pieces, QueuePort } from '../ports/queue-port.ts';
import { pageOf, type JobsPage } from './jobs.ts';

/** How many jobs one call examines. */
const MOST_SCANNED = 1000;

/** How long (ms) a call may take before it returns what it has: jobs may be large, and clients do not wait forever. */
const MOST_TIME = 30_000;

/** Most jobs that are examined for one page of a list, which knows no cursor. */
const MOST_LISTED = 100_000;

/** Which jobs to look for. */
export interface SearchQuery {
  readonly filter: JobFilter;
  /** The cursor of an earlier call for the same filter; null to start. */
  readonly cursor: string | null;
  /** Maximum number of jobs to return. */
  readonly length: number;
}

export interface SearchPage<Shown = Job> extends SearchStep {
  /** Each job as it is when its piece is read. */
  readonly jobs: Pieces<Shown>;
}

export const searchStepFields = {
  scanned: required(integer(0), 'How many jobs were examined'),
  cursor: required(nullable(string), 'Where the next call goes on; null at the end'),
};

type SearchStep = Members<typeof searchStepFields>;

/** Finds jobs by examining some of them in each call. JobScanPort describes what a search may miss. */
export class JobSearch {
  readonly #scan: JobScanPort;
  readonly #queues: QueuePort;
  readonly #parts: JobPartPort;
  readonly #clock: ClockPort;

  constructor(scan: JobScanPort, queues: QueuePort, parts: JobPartPort, clock: ClockPort) {
    this.#scan = scan;
    this.#queues = queues;
    this.#parts = parts;
    this.#clock = clock;
  }

  /** @throws DomainError `invalid-request`. */
  async search(queue: QueueName, query: SearchQuery): Promise<SearchPage> {
    checkShape(searchLength, query.length, 'length');
    const { found, ...step } = await this.#find(queue, query);
    return { ...step, jobs: this.#read(queue, query.filter, found) };
  }

  /** A search that returns jobs without the values of clients. @throws DomainError `invalid-request`. */
  async summarize(queue: QueueName, query: SearchQuery): Promise<SearchPage<JobSummary>> {
    checkShape(searchLength, query.length, 'length');
    const { found, ...step } = await this.#find(queue, query);
    return { ...step, jobs: this.#parts.summaries(queue, [...found.keys()]) };
  }

  /**
   * A page of the jobs of a group, in the order of a listing, with the counts of the whole queue (platform contract,
   * section 13).
   *
   * @param group empty for the jobs without one.
   * @throws DomainError `queue-empty`, or `invalid-request` when more than 100,000 jobs must be examined for it.
   */
  listOfGroup(queue: QueueName, group: string, query: JobsQuery): Promise<JobsPage> {
    return this.#pageOfGroup(queue, group, query, (filter, listed) =>
      this.#read(queue, filter, listed),
    );
  }

  /** A page as `listOfGroup`, of jobs without what clients put into them. */
  summariesOfGroup(
    queue: QueueName,
    group: string,
    query: JobsQuery,
  ): Promise<JobsPage<JobSummary>> {
    return this.#pageOfGroup(queue, group, query, (_, listed) =>
      this.#parts.summaries(queue, [...listed.keys()]),
    );
  }

  async #pageOfGroup<Shown>(
    queue: QueueName,
    group: string,
    query: JobsQuery,
    read: (filter: JobFilter, listed: Found) => Pieces<Shown>,
  ): Promise<JobsPage<Shown>> {
    const { statuses, start, length } = query;
    checkPage({ start, length: 0 });
    const none = { statuses: inListingOrder(statuses), start, length: 0 };
    const { counts } = pageOf(none, await this.#queues.list(queue, none));
    const filter = { group, statuses };
    return { counts, start, length, jobs: read(filter, await this.#listed(queue, filter, query)) };
  }

  async #listed(queue: QueueName, filter: JobFilter, { start, length }: JobsQuery): Promise<Found> {
    const listed: Found = new Map();
    let cursor: string | null = null;
    let skipped = 0;
    let examined = 0;
    while (listed.size < length) {
      const missing = start - skipped + length - listed.size;
      const step: FoundStep = await this.#find(queue, { filter, cursor, length: missing });
      for (const [id, answerStatus] of step.found) {
        if (skipped < start) skipped += 1;
        else listed.set(id, answerStatus);
      }
      cursor = step.cursor;
      if (cursor === null) break;
      examined += step.scanned;
      if (examined >= MOST_LISTED && listed.size < length) {
        throw invalidRequest(
          `group must be looked for with /jobs/search here: a list goes through ${MOST_LISTED} jobs at most`,
          'group',
        );
      }
    }
    return listed;
  }

  async #find(queue: QueueName, query: SearchQuery): Promise<FoundStep> {
    const { filter, length } = query;
    const states = inListingOrder(filter.statuses ?? JOB_STATUSES);
    const fields = filteredFields(filter);
    const end = this.#clock.now() + MOST_TIME;
    const found: Found = new Map();
    let scanned = 0;
    let cursor = query.cursor;
    do {
      const { jobs, cursorAfter } = await this.#scan.scan(queue, { states, fields, cursor });
      let looked = 0;
      while (looked < jobs.length && scanned < MOST_SCANNED && found.size < length) {
        const job = jobs[looked];
        if (job !== undefined && matchesFilter(filter, job)) found.set(job.id, job.answerStatus);
        looked += 1;
        scanned += 1;
      }
      cursor = cursorAfter(looked);
    } while (
      cursor !== null &&
      scanned < MOST_SCANNED &&
      found.size < length &&
      this.#clock.now() < end
    );
    return { found, scanned, cursor };
  }

  /** Leaves out jobs that changed in the meantime and no longer match. */
  async *#read(queue: QueueName, filter: JobFilter, found: Found): AsyncGenerator<readonly Job[]> {
    for await (const jobs of this.#queues.findEach(queue, [...found.keys()])) {
      yield jobs.filter((job) => {
        const answerStatus = found.get(job.id);
        const group = job.opts.group?.id;
        return matchesFilter(filter, {
          ...job,
          ...(group !== undefined && { group }),
          ...(answerStatus !== undefined && { answerStatus }),
        });
      });
    }
  }
}

interface FoundStep extends SearchStep {
  readonly found: Found;
}

/** Ids, each with the status of the last answer, which the jobs of QueuePort do not include. */
type Found = Map<string, number | undefined>;
