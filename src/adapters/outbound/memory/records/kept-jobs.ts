import { storeUnavailable } from '../../../../domain/errors.ts';
import { endedState } from '../../../../domain/jobs/job-status.ts';
import type { EventId } from '../../../../domain/events/event-id.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoredChild, WrittenChild } from '../state/children.ts';
import type { WrittenReturn } from '../state/child-end.ts';
import { logPieceId, type WrittenLogPiece } from '../state/job-log.ts';
import type { JobPayload, StoredJob } from '../state/stored-job.ts';
import { keptEvent, type StoredEvent } from './event-record.ts';
import type { FoundJob, JobDetails } from './job-details.ts';
import { childRecordId, runOf, type PayloadRecord, type WrittenJob } from './job-record.ts';
import { historyOf, NO_HISTORY, writtenInline } from './job-history.ts';
import type { QueueRecordKind } from './record-changes.ts';
import type { FoundValues, RecordGroups, RecordKey } from './record.ts';
import { writtenId } from './record-ids.ts';

/** Where the records of jobs are kept. */
export interface FindsRecords {
  /**
   * The values of the records of each group, undefined in place of one that is gone. Fewer groups, but at least one, if
   * all would take more than about `most` characters.
   */
  find(groups: RecordGroups, most: number): Promise<FoundValues>;
}

/** Reads what is not in memory of jobs from where their records are kept. */
export class KeptJobs implements JobDetails {
  #kept: FindsRecords | undefined;

  /** To be called before the first job is read. */
  readFrom(kept: FindsRecords): void {
    this.#kept = kept;
  }

  async read(
    queue: QueueName,
    jobs: readonly StoredJob[],
    most: number,
    withLogs = false,
  ): Promise<readonly (FoundJob | undefined)[]> {
    const groups = jobs.map(({ id, status, hasHistory, hasOlderLog }) => [
      keyOf('payload', queue, id),
      ...(endedState(status) === undefined && !hasHistory ? [] : [keyOf('job', queue, id)]),
      ...(hasHistory ? [keyOf('history', queue, id)] : []),
      ...(withLogs && hasOlderLog ? [keyOf('logs', queue, id)] : []),
    ]);
    const found = await this.#find(groups, most);
    return found.map((values, index) => foundJob(groups[index] ?? [], values));
  }

  async log(
    queue: QueueName,
    jobId: string,
    numbers: readonly number[],
    most: number,
  ): Promise<readonly (readonly string[])[]> {
    const groups = numbers.map((number) => [keyOf('log-piece', queue, logPieceId(jobId, number))]);
    const found = await this.#find(groups, most);
    return found.map(([value]) => {
      return value === undefined ? [] : (JSON.parse(value) as WrittenLogPiece).lines;
    });
  }

  async events(
    queue: QueueName,
    firsts: readonly EventId[],
    most: number,
  ): Promise<readonly (readonly StoredEvent[])[]> {
    const groups = firsts.map((first) => [keyOf('events', queue, first)]);
    const found = await this.#find(groups, most);
    return found.map(([value = '[]']) => (JSON.parse(value) as StoredEvent[]).map(keptEvent));
  }

  async returned(
    queue: QueueName,
    parentId: string,
    children: readonly StoredChild[],
    most: number,
  ): Promise<readonly string[]> {
    const groups = children.map((child) => {
      const id = childRecordId(parentId, child);
      const apart = child.ending?.isLong === true ? [keyOf('returned', queue, id)] : [];
      return [keyOf('child', queue, id), ...apart];
    });
    const found = await this.#find(groups, most);
    return found.map(([value = '{}', apart = '{}']) => {
      const { ending } = JSON.parse(value) as Partial<WrittenChild>;
      const { returnvalue = 'null' } = JSON.parse(apart) as Partial<WrittenReturn>;
      return ending?.returnvalue ?? returnvalue;
    });
  }

  async #find(groups: RecordGroups, most: number): Promise<FoundValues> {
    try {
      return (await this.#kept?.find(groups, most)) ?? [];
    } catch (error) {
      throw storeUnavailable(error);
    }
  }
}

function foundJob(
  keys: readonly RecordKey[],
  values: readonly (string | undefined)[],
): FoundJob | undefined {
  const of = (kind: QueueRecordKind): string | undefined =>
    values[keys.findIndex((key) => key.kind === kind)];
  const [payload, record, history = '{}'] = [of('payload'), of('job'), of('history')];
  if (payload === undefined) return undefined;
  const { data, opts } = JSON.parse(payload) as PayloadRecord;
  const olderLog = JSON.parse(of('logs') ?? '[]') as readonly string[];
  const written = record === undefined ? undefined : (JSON.parse(record) as WrittenJob);
  return {
    payload: { data, opts, history: foundHistory(history, written) },
    olderLog,
    finishedOn: written?.finishedOn,
    run: written?.finishedOn === undefined ? undefined : runOf(written),
  };
}

/** What the record of the job has is newer than a record of its own. */
function foundHistory(history: string, written: WrittenJob | undefined): JobPayload['history'] {
  const inline = written && writtenInline(written);
  if (history === '{}') return inline ?? NO_HISTORY;
  const apart = JSON.parse(history) as JobPayload['history'];
  return historyOf({ ...apart, ...written });
}

function keyOf(kind: QueueRecordKind, queue: QueueName, id: string): RecordKey {
  return { kind, queue, id: writtenId(id) };
}
