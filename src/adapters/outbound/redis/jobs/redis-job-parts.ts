import type {
  JobPartPort,
  JobValue,
  SummariesSlice,
} from '../../../../application/ports/job-part-port.ts';
import type { JobsQuery } from '../../../../application/ports/queue-port.ts';
import { JOB_STATES } from '../../../../domain/jobs/job-status.ts';
import type { JobSummary } from '../../../../domain/jobs/job-summary.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { RedisClient } from '../connection/redis-client.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { jobSummary, type JobSummaryAnswer } from '../layout/job-summary.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { STAGED_NUMBERS } from '../layout/staging-keys.ts';
import { stateCounts } from '../layout/queue-summary.ts';
import { listSummaries, readSummaries } from '../scripts/reading.ts';

/** The values of a job that has not completed, or that another program added without data. */
const ABSENT: Readonly<Record<JobValue, string>> = { data: '{}', returnvalue: 'null' };

/** Parts of the hashes of jobs. */
export class RedisJobParts implements JobPartPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;

  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async list(queue: QueueName, { statuses, start, length }: JobsQuery): Promise<SummariesSlice> {
    const keys = this.#keys.get(queue);
    const wanted = JOB_STATES.map((state) => (statuses.includes(state) ? 1 : 0));
    const page = { start, length };
    const [counts, ids, first] = await this.#commands.call(listSummaries, keys, page, wanted);
    return {
      counts: stateCounts(counts),
      jobs:
        first.length === ids.length
          ? [this.#shown(ids, first)]
          : this.#startingWith(keys, ids, first),
    };
  }

  summaries(queue: QueueName, ids: readonly string[]): AsyncIterable<readonly JobSummary[]> {
    return this.#startingWith(this.#keys.get(queue), ids, []);
  }

  async value(queue: QueueName, jobId: string, value: JobValue): Promise<Buffer | undefined> {
    const { jobPrefix } = this.#keys.get(queue);
    const [[name, timestamp, found], isStaged] = await this.#commands.readLarge((client) =>
      Promise.all([
        client.hmgetBuffer(jobPrefix + jobId, 'name', 'timestamp', value),
        isStagedNumber(client, jobPrefix, jobId),
      ]),
    );
    // Every job has these two fields, and no other hash of a queue has both.
    if (!name || !timestamp || isStaged) return undefined;
    return found ?? Buffer.from(ABSENT[value]);
  }

  async *#startingWith(
    keys: QueueKeys,
    ids: readonly string[],
    first: readonly JobSummaryAnswer[],
  ): AsyncGenerator<readonly JobSummary[]> {
    if (first.length > 0) yield this.#shown(ids, first);
    for (let read = first.length; read < ids.length;) {
      const rest = ids.slice(read);
      const answers = await this.#commands.call(readSummaries, keys, {}, rest);
      yield this.#shown(rest, answers);
      read += answers.length;
    }
  }

  #shown(ids: readonly string[], answers: readonly JobSummaryAnswer[]): readonly JobSummary[] {
    return answers.flatMap((answer, index) =>
      answer === null ? [] : [jobSummary(ids[index] ?? '', answer, this.#keys.prefix)],
    );
  }
}

/** Whether a staged add has reserved the number that the id is, as rules/staged-number has it. */
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
