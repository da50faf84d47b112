import type { JobSummary } from '../../domain/jobs/job-summary.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { JobsQuery } from '../ports/queue-port.ts';
import type { JobSearch } from './job-search.ts';
import type { Jobs, JobsPage } from './jobs.ts';

/** Pages of the jobs of one group, with the counts of the whole queue (platform, section 13). */
export class GroupListing {
  readonly #jobs: Jobs;
  readonly #search: JobSearch;

  constructor(jobs: Jobs, search: JobSearch) {
    this.#jobs = jobs;
    this.#search = search;
  }

  /**
   * @param group empty for the jobs without one.
   * @throws DomainError as `Jobs.list` and `JobSearch.listOfGroup` do.
   */
  async list(queue: QueueName, group: string, query: JobsQuery): Promise<JobsPage> {
    const page = await this.#jobs.list(queue, { ...query, length: 0 });
    return { ...page, ...query, jobs: await this.#search.listOfGroup(queue, group, query) };
  }

  /** A page as `list`, of jobs without what clients put into them. */
  async listSummaries(
    queue: QueueName,
    group: string,
    query: JobsQuery,
  ): Promise<JobsPage<JobSummary>> {
    const page = await this.#jobs.list(queue, { ...query, length: 0 });
    return { ...page, ...query, jobs: await this.#search.summariesOfGroup(queue, group, query) };
  }
}
