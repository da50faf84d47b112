import { storeUnavailable } from '../../../../domain/errors.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobDetails } from './job-details.ts';
import { jobOfRecords, type PayloadRecord, type WrittenJob } from './job-record.ts';
import type { QueueRecordKind } from './record-changes.ts';
import type { FoundValues, RecordGroups, RecordKey } from './record.ts';
import { writtenId } from './record-ids.ts';

/** Where the records of jobs that ended are kept. */
export interface FindsRecords {
  /**
   * The values of the records of each group, undefined in place of one that is gone. Fewer groups, but at least one, if
   * all would take more than about `most` characters.
   */
  find(groups: RecordGroups, most: number): Promise<FoundValues>;
}

/** Reads the jobs that ended from where their records are kept. */
export class EndedJobs implements JobDetails {
  #kept: FindsRecords | undefined;

  /** To be called before the first job is read. */
  readFrom(kept: FindsRecords): void {
    this.#kept = kept;
  }

  async read(
    queue: QueueName,
    ids: readonly string[],
    most: number,
  ): Promise<readonly (JobRecord | undefined)[]> {
    const groups = ids.map((id) => [keyOf('job', queue, id), keyOf('payload', queue, id)]);
    const found = await this.#find(groups, most);
    return found.map(([record, payload]) =>
      record === undefined || payload === undefined
        ? undefined
        : jobOfRecords(JSON.parse(record) as WrittenJob, JSON.parse(payload) as PayloadRecord),
    );
  }

  async logs(queue: QueueName, id: string): Promise<readonly string[]> {
    const [[lines = '[]'] = []] = await this.#find([[keyOf('logs', queue, id)]], 0);
    return JSON.parse(lines) as readonly string[];
  }

  async #find(groups: RecordGroups, most: number): Promise<FoundValues> {
    try {
      return (await this.#kept?.find(groups, most)) ?? [];
    } catch (error) {
      throw storeUnavailable(error);
    }
  }
}

function keyOf(kind: QueueRecordKind, queue: QueueName, id: string): RecordKey {
  return { kind, queue, id: writtenId(id) };
}
