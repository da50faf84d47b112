import type { JobPartPort, JobValue } from '../../../../application/ports/job-part-port.ts';
import type { JobsQuery, JobsSlice } from '../../../../application/ports/queue-port.ts';
import type { JobSummary } from '../../../../domain/jobs/job-summary.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { RedisClient } from '../connection/redis-client.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { jobSummary, LONGEST_OF_SUMMARY, SUMMARY_FIELDS } from '../layout/job-summary.ts';
import { STAGED_NUMBERS } from '../layout/staging-keys.ts';
import { JobRows, type RowFields, type Show } from './job-rows.ts';

/** The values of a job that has not completed, or that another program added without data. */
const ABSENT: Readonly<Record<JobValue, string>> = { data: '{}', returnvalue: 'null' };

const SUMMARY: RowFields = { names: SUMMARY_FIELDS, longest: LONGEST_OF_SUMMARY };

/** Parts of the hashes of jobs. */
export class RedisJobParts implements JobPartPort {
  readonly #store: StoreCommands;
  readonly #rows: JobRows;

  constructor(store: StoreCommands) {
    this.#store = store;
    this.#rows = new JobRows(store);
  }

  list(queue: QueueName, query: JobsQuery): Promise<JobsSlice<JobSummary>> {
    return this.#rows.list(this.#store.keysOf(queue), query, SUMMARY, this.#show);
  }

  summaries(queue: QueueName, ids: readonly string[]): AsyncIterable<readonly JobSummary[]> {
    return this.#rows.read(this.#store.keysOf(queue), ids, SUMMARY, this.#show);
  }

  async value(queue: QueueName, jobId: string, value: JobValue): Promise<Buffer | undefined> {
    const { jobPrefix } = this.#store.keysOf(queue);
    const [[name, timestamp, found], isStaged] = await this.#store.readLarge((client) =>
      Promise.all([
        client.hmgetBuffer(jobPrefix + jobId, 'name', 'timestamp', value),
        isStagedNumber(client, jobPrefix, jobId),
      ]),
    );
    // Every job has these two fields, and no other hash of a queue has both.
    if (!name || !timestamp || isStaged) return undefined;
    return found ?? Buffer.from(ABSENT[value]);
  }

  readonly #show: Show<JobSummary> = (...job) => jobSummary(...job, this.#store.prefix);
}

/** Whether a staged add has reserved the number that the id is, as adds/staged-number has it. */
async function isStagedNumber(
  client: RedisClient,
  jobPrefix: string,
  id: string,
): Promise<boolean> {
  if (!/^[1-9]\d*$/.test(id)) return false;
  const key = jobPrefix + STAGED_NUMBERS;
  const [first] = await client.zrangebyscore(key, id, '+inf', 'LIMIT', 0, 1);
  return first !== undefined && Number(first) <= Number(id);
}
