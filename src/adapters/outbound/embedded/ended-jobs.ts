import { storeUnavailable } from '../../../domain/errors.ts';
import type { JobRecord } from '../../../domain/records/job-record.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { JobDetails } from '../memory/records/job-details.ts';
import { jobOfRecords, type PayloadRecord, type WrittenJob } from '../memory/records/job-record.ts';
import type { QueueRecordKind } from '../memory/records/record-changes.ts';
import type { RecordFile } from './file/record-file.ts';
import type { FoundValues, RecordGroups, RecordKey } from './file/record-key.ts';
import { writtenId } from './record-ids.ts';

/** Reads the jobs that ended from the file of the store. */
export class EndedJobs implements JobDetails {
  #file: Pick<RecordFile, 'find'> | undefined;

  /** To be called before the first job is read. */
  readFrom(file: Pick<RecordFile, 'find'>): void {
    this.#file = file;
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
      return (await this.#file?.find(groups, most)) ?? [];
    } catch (error) {
      throw storeUnavailable(error);
    }
  }
}

function keyOf(kind: QueueRecordKind, queue: QueueName, id: string): RecordKey {
  return { kind, queue, id: writtenId(id) };
}
