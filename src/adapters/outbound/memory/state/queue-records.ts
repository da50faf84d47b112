import type { Attempts, AttemptsRecord } from './attempts.ts';
import { pieceOfRecordId, type CallWindow, type StartsPiece } from './call-window.ts';
import type { CallsOfSeveral, CallsRecord } from './calls-of-several.ts';
import type { ChildRecord } from './children.ts';
import type { DeduplicationRecord } from './deduplications.ts';
import {
  childOfRecordId,
  jobRecord,
  restoredEndedJob,
  restoredJob,
  type JobRecord,
  type PayloadRecord,
} from './job-record.ts';
import { EndedJob, isStored, type ListedJob } from './listed-job.ts';
import type { GroupRecord, SharedGroups } from './queue-groups.ts';
import type { JobNumbers, QueueJobs } from './queue-jobs.ts';
import type { QueueSchedulers } from './queue-schedulers.ts';
import type { ChangesOfQueue, QueueRecordKind } from './record-changes.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import type { EventId } from '../../../../domain/events/event-id.ts';
import { compareEventIds } from '../../../../domain/events/event-id.ts';
import type { StartsRecord } from './group-starts.ts';
import type { KeptSince, QueueEvents, StoredEvent } from './queue-events.ts';
import type { AddRecord, RememberedAdds } from './remembered-adds.ts';
import type { RememberedReports, ReportRecord } from './remembered-reports.ts';
import type { StoredJob } from './stored-job.ts';

/** What is known of a queue as such. */
export interface QueueStatus {
  readonly isCreated: boolean;
  readonly isPulled: boolean;
  /** When (epoch ms) a client last claimed jobs, as far as it was noted. */
  readonly claimedAt?: number | undefined;
  /** When (epoch ms) the next stalled check counts. */
  readonly stalledCheckAt: number;
}

/** A queue as such, as it is written. */
export interface QueueRecord extends QueueStatus, AttemptsRecord, JobNumbers {
  readonly calls: CallsRecord;
  readonly groups: SharedGroups;
  readonly events: KeptSince;
}

/** The kinds that it reads and restores: schedulers need a calendar, which the queue does not have. */
type ReadRecordKind = Exclude<QueueRecordKind, 'scheduler'>;

/** The parts of a queue, each with records of its own. */
export interface RecordedParts {
  readonly jobs: QueueJobs;
  readonly events: QueueEvents;
  readonly attempts: Attempts;
  readonly calls: CallsOfSeveral;
  readonly schedulers: QueueSchedulers;
  readonly adds: RememberedAdds;
  readonly reports: RememberedReports;
  readonly status: { get: () => QueueStatus; restore: (status: QueueStatus) => void };
}

/**
 * The records of one queue: what a store that is kept on a disk writes of it, and what the queue becomes again from
 * these. Records are flat, each of a bounded size; positions in lists are part of them.
 */
export class QueueRecords {
  readonly #parts: RecordedParts;
  readonly #changes: ChangesOfQueue;
  /** Those that refer to others, until all are there. */
  #queueRecord: QueueRecord | undefined;
  readonly #children: (readonly [id: string, record: ChildRecord])[] = [];
  readonly #groups: (readonly [id: string, record: GroupRecord])[] = [];
  readonly #starts: (readonly [id: string, piece: StartsPiece])[] = [];
  readonly #adds: (readonly [key: string, record: AddRecord])[] = [];
  readonly #reports: (readonly [token: string, record: ReportRecord])[] = [];
  readonly #batches: (readonly [first: EventId, events: readonly StoredEvent[]])[] = [];

  constructor(parts: RecordedParts, changes: ChangesOfQueue) {
    this.#parts = parts;
    this.#changes = changes;
  }

  /** The record as it is now; undefined when it is gone. */
  read(kind: ReadRecordKind, id: string): object | undefined {
    const { jobs, events, adds, reports } = this.#parts;
    switch (kind) {
      case 'queue':
        return this.#queue();
      case 'job': {
        const job = this.#stored(id);
        return job && jobRecord(job);
      }
      case 'payload':
        return this.#payload(id);
      case 'logs': {
        const logs = this.#stored(id)?.logs ?? [];
        return logs.length > 0 ? logs : undefined;
      }
      case 'child': {
        const [parentId, queue, childId] = childOfRecordId(id);
        return jobs.find(parentId)?.children?.record(queue, childId);
      }
      case 'group':
        return jobs.groups.record(id);
      case 'limiter': {
        const [group, piece] = pieceOfRecordId(id);
        return this.#window(group)?.piece(piece);
      }
      case 'deduplication':
        return jobs.deduplications.record(id);
      case 'add':
        return adds.record(id);
      case 'report':
        return reports.record(id);
      case 'share':
        return jobs.groups.starts.record(id);
      case 'events':
        return events.batch(id);
    }
  }

  /** Notes all of them, as the queue goes. */
  noteAll(): void {
    const { jobs, events, attempts, schedulers, adds, reports } = this.#parts;
    this.#changes.note('queue', '');
    attempts.window.noteAll();
    jobs.noteAll();
    for (const id of jobs.groups.recorded) {
      this.#changes.note('group', id);
      jobs.groups.windowOf(id)?.noteAll();
    }
    for (const id of schedulers.recorded) this.#changes.note('scheduler', id);
    for (const id of jobs.deduplications.recorded) this.#changes.note('deduplication', id);
    for (const key of adds.recorded) this.#changes.note('add', key);
    for (const token of reports.recorded) this.#changes.note('report', token);
    for (const id of jobs.groups.starts.recorded) this.#changes.note('share', id);
    for (const first of events.recorded) this.#changes.note('events', first);
  }

  /** Takes a record as it was written. Those of jobs come before those of their payloads and logs. */
  restore(kind: ReadRecordKind, id: string, record: unknown): void {
    const { jobs } = this.#parts;
    switch (kind) {
      case 'queue':
        this.#restoreQueue(record as QueueRecord);
        break;
      case 'job':
        this.#restoreJob(record as JobRecord);
        break;
      case 'payload':
        this.#restorePayload(jobs.find(id), record as PayloadRecord);
        break;
      case 'logs':
        this.#restoreLogs(jobs.find(id), record as readonly string[]);
        break;
      case 'child':
        this.#children.push([id, record as ChildRecord]);
        break;
      case 'group':
        this.#groups.push([id, record as GroupRecord]);
        break;
      case 'limiter':
        this.#starts.push([id, record as StartsPiece]);
        break;
      case 'deduplication':
        jobs.deduplications.restore(id, record as DeduplicationRecord);
        break;
      case 'add':
        this.#adds.push([id, record as AddRecord]);
        break;
      case 'report':
        this.#reports.push([id, record as ReportRecord]);
        break;
      case 'share':
        jobs.groups.starts.restore(id, record as StartsRecord);
        break;
      case 'events':
        this.#batches.push([id, record as readonly StoredEvent[]]);
        break;
    }
  }

  /** To be called once all records are there. */
  restored(): void {
    const { jobs, events, attempts, adds, reports } = this.#parts;
    for (const [id, child] of inOrder(this.#children, 'number')) {
      const [parentId, queue, childId] = childOfRecordId(id);
      jobs.find(parentId)?.children?.add({ queue, id: childId, ...child });
    }
    for (const [id, record] of this.#groups) {
      jobs.groups.restore(id, record, (jobId) => jobs.find(jobId));
    }
    for (const [id, piece] of inOrder(this.#starts, 'before')) {
      const [group] = pieceOfRecordId(id);
      this.#window(group)?.restore(piece);
    }
    for (const [key, record] of inOrder(this.#adds, 'timestamp')) adds.restore(key, record);
    for (const [token, record] of inOrder(this.#reports, 'until')) reports.restore(token, record);
    const batches = this.#batches.toSorted(([one], [other]) => compareEventIds(one, other));
    for (const [first, batch] of batches) events.restoreBatch(first, batch);
    if (this.#queueRecord !== undefined) {
      attempts.restoreJobs(this.#queueRecord);
      jobs.restoreNumbers(this.#queueRecord);
    }
    const pending = [
      this.#children,
      this.#groups,
      this.#starts,
      this.#adds,
      this.#reports,
      this.#batches,
    ];
    for (const each of pending) each.length = 0;
    this.#queueRecord = undefined;
  }

  /**
   * The process that made the calls has ended: a job whose call ran counts as one without a lock at the last stalled
   * check, so the next one puts it back.
   */
  loseCalls(): void {
    const { attempts, status } = this.#parts;
    status.restore({ ...status.get(), stalledCheckAt: 0 });
    attempts.loseCalls();
  }

  #window(group: string): CallWindow | undefined {
    const { attempts, jobs } = this.#parts;
    return group === NO_GROUP ? attempts.window : jobs.groups.windowOf(group);
  }

  #queue(): QueueRecord {
    const { jobs, events, attempts, calls, status } = this.#parts;
    return {
      ...status.get(),
      ...attempts.record,
      ...jobs.numbers,
      calls: calls.record,
      groups: jobs.groups.shared,
      events: events.kept,
    };
  }

  #restoreQueue(record: QueueRecord): void {
    this.#queueRecord = record;
    const { groups, events: kept } = record;
    const { jobs, events, attempts, calls, status } = this.#parts;
    events.restoreKept(kept);
    status.restore(record);
    attempts.restore(record);
    calls.restore(record.calls);
    jobs.groups.restoreShared(groups);
  }

  #restoreJob(record: JobRecord): void {
    const { jobs } = this.#parts;
    const ended = restoredEndedJob(record);
    if (ended === undefined) jobs.restore(restoredJob(record));
    else jobs.restoreEnded(ended);
  }

  #restorePayload(job: ListedJob | undefined, payload: PayloadRecord): void {
    if (job instanceof EndedJob) job.noteName(payload.name);
    else if (isStored(job)) Object.assign(job, payload);
  }

  #restoreLogs(job: ListedJob | undefined, logs: readonly string[]): void {
    if (job instanceof EndedJob) job.noteLogs();
    else if (isStored(job)) job.logs.push(...logs);
  }

  /** @throws Error for a job of which a part is not in memory: its records are never to be written again. */
  #stored(id: string): StoredJob | undefined {
    const job = this.#parts.jobs.find(id);
    if (job !== undefined && !isStored(job)) throw new Error('A part of the job is not in memory');
    return job;
  }

  #payload(id: string): PayloadRecord | undefined {
    const job = this.#stored(id);
    return job && { name: job.name, data: job.data, opts: job.opts };
  }
}

function inOrder<Name extends string, Kept extends Readonly<Record<Name, number>>>(
  records: readonly (readonly [id: string, record: Kept])[],
  by: Name,
): readonly (readonly [id: string, record: Kept])[] {
  return records.toSorted(([, one], [, other]) => one[by] - other[by]);
}
