import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import type { FailedByClaim } from '../../../../domain/transitions/queue-state.ts';
import type { CallWindow } from '../state/call-window.ts';
import type { EventId } from '../../../../domain/events/event-id.ts';
import { compareEventIds } from '../../../../domain/events/event-id.ts';
import type { DeduplicationRecord } from '../../../../domain/records/deduplication-record.ts';
import { hasEnded, type JobHistory } from '../../../../domain/records/job-record.ts';
import type { QueueRecord, RunningCalls } from '../../../../domain/records/queue-record.ts';
import type { RememberedReport } from '../../../../domain/records/remembered-report.ts';
import type { SchedulerRecord } from '../../../../domain/records/scheduler-record.ts';
import { restoredChild, type KnownOfChild, type WrittenChild } from '../state/children.ts';
import type { StartsRecord } from '../state/group-starts.ts';
import { childOfRecordId, writtenJob, type PayloadRecord, type WrittenJob } from './job-record.ts';
import { historyOf, NO_HISTORY } from './job-history.ts';
import { keptEvent, type KeptSince, type StoredEvent } from './event-record.ts';
import type { WrittenGroup, WrittenShared } from './group-record.ts';
import { pieceOfRecordId, type StartsPiece } from './limiter-record.ts';
import type { ChangesOfQueue, QueueRecordKind } from './record-changes.ts';
import { KeptBatch } from '../state/kept-batch.ts';
import { pieceOfLogPieceId, type WrittenLogPiece } from '../state/job-log.ts';
import type { AddRecord } from '../state/stored-adds.ts';
import type { StagedPiece } from '../state/staged-payloads.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';

/** A queue as such, as it is written. */
export interface WrittenQueue extends Omit<QueueRecord, 'calls' | 'endingCalls'> {
  /** Distinguishes the queue from a removed one of the same name. Records of earlier versions have none. */
  readonly identity?: string;
  readonly calls: readonly (readonly [
    id: string,
    call: { readonly size: number; readonly until: number },
  ])[];
  readonly endingCalls: readonly (readonly [token: string, until: number])[];
  /** How many starts the limiter does not count any more. */
  readonly outdatedStarts: number;
  /** The jobs that claims failed, and that no sweep has seen yet. */
  readonly failedByClaims: readonly FailedByClaim[];
  readonly groups: WrittenShared;
  readonly events: KeptSince;
}

/**
 * The records of one queue: what a store that is kept on a disk writes of it, and what the queue becomes again from
 * these. Records are flat, each of a bounded size; positions in lists are part of them.
 */
export class QueueRecords {
  readonly #queue: StoredQueue;
  readonly #changes: ChangesOfQueue;
  /** Those that refer to others, or whose order counts, until all are there. */
  readonly #children: (readonly [id: string, child: KnownOfChild])[] = [];
  readonly #starts: (readonly [id: string, piece: StartsPiece])[] = [];
  readonly #adds: (readonly [key: string, record: AddRecord])[] = [];
  readonly #reports: (readonly [token: string, record: RememberedReport])[] = [];
  readonly #batches: KeptBatch[] = [];

  /** The ids of pieces that are gone, until all records are there. */
  readonly #endedStarts: string[] = [];
  readonly #eventsOfOthers: StoredEvent[] = [];
  /** Whether another replica put a job where it waits, ended one that ran, or changed what decides whether it starts. */
  #hasMoved = false;

  constructor(queue: StoredQueue, changes: ChangesOfQueue) {
    this.#queue = queue;
    this.#changes = changes;
  }

  /** The record as it is now; undefined when it is gone. */
  read(kind: QueueRecordKind, id: string): object | undefined {
    const { jobs, groups, deduplications, schedulers, adds, reports, events, staged } = this.#queue;
    switch (kind) {
      case 'queue':
        return this.#writtenQueue();
      case 'job': {
        const job = jobs.find(id);
        return job && writtenJob(withRun(job));
      }
      case 'payload': {
        const job = this.#whole(id);
        return job ? { name: job.name, data: job.data, opts: job.opts } : staged.payload(id);
      }
      case 'logs':
        return undefined;
      case 'log-piece': {
        const [jobId, number] = pieceOfLogPieceId(id);
        const piece = jobs.find(jobId)?.log?.piece(number);
        return piece && ({ lines: piece.lines } satisfies WrittenLogPiece);
      }
      case 'history':
        return jobs.historyRecord(id);
      case 'child': {
        const [parentId, queue, childId] = childOfRecordId(id);
        return jobs.find(parentId)?.children?.record({ queue, id: childId });
      }
      case 'returned': {
        const [parentId, queue, childId] = childOfRecordId(id);
        return jobs.find(parentId)?.children?.returned({ queue, id: childId });
      }
      case 'group':
        return groups.record(id);
      case 'limiter': {
        const [group, piece] = pieceOfRecordId(id);
        return this.#window(group)?.piece(piece);
      }
      case 'scheduler':
        return schedulers.find(id);
      case 'deduplication':
        return deduplications.find(id);
      case 'add':
        return adds.record(id);
      case 'report':
        return reports.find(id);
      case 'share':
        return groups.starts.record(id);
      case 'events':
        return events.batch(id);
      case 'staged':
        return staged.piece(id);
    }
  }

  /** Notes all of them, as the queue goes. */
  noteAll(): void {
    const { jobs, groups, deduplications, schedulers, adds, reports, events, staged } = this.#queue;
    this.#changes.note('queue', '');
    this.#queue.starts.noteAll();
    const parts = [jobs, groups, deduplications, schedulers, adds, reports, staged];
    for (const part of parts) part.noteAll();
    for (const first of events.recorded) this.#changes.note('events', first);
  }

  /** Takes a record as it was written. Those of jobs come before those of their payloads and logs. */
  restore(kind: QueueRecordKind, id: string, record: unknown): void {
    const { jobs, groups, deduplications, schedulers, staged } = this.#queue;
    switch (kind) {
      case 'queue':
        this.#restoreQueue(record as WrittenQueue);
        break;
      case 'job':
        groups.restoreWaiting(jobs.restore(record as WrittenJob));
        break;
      case 'payload':
        this.#restorePayload(id, record as PayloadRecord);
        break;
      case 'logs':
        noteOlderLog(jobs.find(id), record as readonly string[]);
        break;
      case 'log-piece':
      case 'history':
      case 'returned':
        break;
      case 'child':
        this.#children.push([id, restoredChild(record as WrittenChild, true)]);
        break;
      case 'group':
        groups.restore(id, record as WrittenGroup);
        break;
      case 'limiter':
        this.#starts.push([id, record as StartsPiece]);
        break;
      case 'scheduler':
        schedulers.restore(id, record as SchedulerRecord);
        break;
      case 'deduplication':
        deduplications.restore(id, record as DeduplicationRecord);
        break;
      case 'add':
        this.#adds.push([id, record as AddRecord]);
        break;
      case 'report':
        this.#reports.push([id, record as RememberedReport]);
        break;
      case 'share':
        groups.starts.restore(id, record as StartsRecord);
        break;
      case 'events':
        this.#batches.push(KeptBatch.onDisk(id, record as readonly StoredEvent[]));
        break;
      case 'staged':
        staged.replace(id, record as StagedPiece);
        break;
    }
  }

  /**
   * Takes a record as another replica wrote it; undefined when it is gone. They come in the order of their kinds. A job
   * that is started over, of which a part is not in memory, comes with its payload.
   */
  replace(kind: QueueRecordKind, id: string, record: unknown): void {
    const { jobs, groups, deduplications, schedulers, reports, staged } = this.#queue;
    this.#hasMoved ||=
      kind === 'queue' ||
      kind === 'group' ||
      (kind === 'job' && (isUnstarted(record) || this.#isEnded(id, record)));
    switch (kind) {
      case 'job':
        this.#replaceJob(id, record as WrittenJob | undefined);
        break;
      case 'payload':
        if (record === undefined) staged.replacePayload(id, undefined);
        else {
          this.#restorePayload(id, record as PayloadRecord);
          replacePayload(jobs.find(id), record as PayloadRecord);
        }
        break;
      case 'logs':
        noteOlderLog(jobs.find(id), (record ?? []) as readonly string[]);
        break;
      case 'history':
        replaceHistory(jobs.find(id), record as JobHistory | undefined);
        break;
      case 'log-piece':
      case 'returned':
        break;
      case 'child':
        if (record === undefined) this.#remove(kind, id);
        else this.#children.push([id, restoredChild(record as WrittenChild, false)]);
        break;
      case 'group':
        groups.replace(id, record as WrittenGroup | undefined);
        break;
      case 'scheduler':
        schedulers.replace(id, record as SchedulerRecord | undefined);
        break;
      case 'deduplication':
        deduplications.replace(id, record as DeduplicationRecord | undefined);
        break;
      case 'report':
        reports.replace(id, record as RememberedReport | undefined);
        break;
      case 'share':
        groups.starts.replace(id, record as StartsRecord | undefined);
        break;
      case 'events':
        this.#replaceEvents(id, (record as readonly StoredEvent[] | undefined)?.map(keptEvent));
        break;
      default:
        if (record === undefined) this.#remove(kind, id);
        else this.restore(kind, id, record);
    }
  }

  /** Whether a claim may succeed since records of other replicas were replaced, and this was last asked. */
  takeMayStart(): boolean {
    const { record, jobs } = this.#queue;
    const { waiting, prioritized, delayed } = jobs.in;
    const mayStart = this.#hasMoved && !record.isPaused;
    this.#hasMoved = false;
    return mayStart && waiting.size + prioritized.size + delayed.size > 0;
  }

  /** The events of the batches that came from other replicas since this was last called. */
  takeEventsOfOthers(): readonly StoredEvent[] {
    return this.#eventsOfOthers.splice(0);
  }

  /** To be called once all records are there, or all that are replaced together. */
  restored(): void {
    const { jobs, events, adds, reports } = this.#queue;
    for (const [id, child] of inOrder(this.#children, 'number')) {
      const [parentId, queue, childId] = childOfRecordId(id);
      jobs.find(parentId)?.children?.replace({ queue, id: childId }, child);
    }
    const ended = this.#endedStarts.splice(0).map(pieceOfRecordId);
    for (const [group, piece] of ended.sort(([, one], [, other]) => other - one)) {
      this.#window(group)?.remove(piece);
    }
    for (const [id, piece] of inOrder(this.#starts, 'before')) {
      const [group] = pieceOfRecordId(id);
      this.#window(group)?.restore(piece);
    }
    for (const [key, { existing, ...add }] of inOrder(this.#adds, 'timestamp')) {
      adds.replace(key, { ...add, existing: new Map(existing) });
    }
    for (const [token, record] of inOrder(this.#reports, 'until')) reports.restore(token, record);
    this.#batches.sort((one, other) => compareEventIds(one.first, other.first));
    for (const batch of this.#batches) events.restoreBatch(batch);
    const pending = [this.#children, this.#starts, this.#adds, this.#reports, this.#batches];
    for (const each of pending) each.length = 0;
  }

  #remove(kind: QueueRecordKind, id: string): void {
    const { jobs, adds, staged } = this.#queue;
    if (kind === 'child') {
      const [parentId, queue, childId] = childOfRecordId(id);
      jobs.find(parentId)?.children?.replace({ queue, id: childId }, undefined);
    } else if (kind === 'limiter') {
      this.#endedStarts.push(id);
    } else if (kind === 'add') {
      adds.remove(id);
    } else if (kind === 'staged') {
      staged.replace(id, undefined);
    }
  }

  /** Whether the job runs here and does not in the record: another one may have its place. */
  #isEnded(id: string, record: unknown): boolean {
    const { status } = (record ?? {}) as Partial<WrittenJob>;
    return status !== 'active' && this.#queue.jobs.find(id)?.status === 'active';
  }

  #replaceJob(id: string, record: WrittenJob | undefined): void {
    const { jobs, groups, staged } = this.#queue;
    const before = jobs.find(id);
    if (before !== undefined) groups.takeWaiting(before);
    const job = jobs.replace(id, record);
    if (job === undefined) return;
    const payload = before === undefined ? staged.payload(id) : undefined;
    if (payload !== undefined) replacePayload(job, payload);
    groups.restoreWaiting(job);
  }

  #replaceEvents(first: EventId, batch: readonly StoredEvent[] | undefined): void {
    const { events } = this.#queue;
    const last = events.last;
    events.replaceBatch(first, batch);
    for (const event of batch ?? []) {
      if (compareEventIds(event.id, last) > 0) this.#eventsOfOthers.push(event);
    }
  }

  #writtenQueue(): WrittenQueue {
    const { record, identity, jobs, groups, starts, events } = this.#queue;
    return {
      ...record,
      identity,
      calls: [...record.calls],
      endingCalls: [...record.endingCalls],
      outdatedStarts: starts.dropped,
      failedByClaims: jobs.failedByClaims.record,
      groups: groups.sharedRecord,
      events: events.kept,
    };
  }

  #restoreQueue(written: WrittenQueue): void {
    const { calls, endingCalls, outdatedStarts, failedByClaims, groups, events, ...rest } = written;
    const { identity, ...record } = rest;
    const queue = this.#queue;
    if (identity !== undefined) queue.identity = identity;
    const running: RunningCalls = new Map(calls);
    queue.restore({ ...record, calls: running, endingCalls: new Map(endingCalls) });
    queue.starts.restoreDropped(outdatedStarts);
    queue.jobs.failedByClaims.restore(failedByClaims);
    queue.groups.restoreShared(groups);
    queue.events.restoreKept(events);
  }

  #restorePayload(id: string, payload: PayloadRecord): void {
    const { jobs, staged } = this.#queue;
    if (jobs.find(id) === undefined) staged.replacePayload(id, payload);
    else jobs.noteName(id, payload);
  }

  #window(group: string): CallWindow | undefined {
    const { starts, groups } = this.#queue;
    return group === NO_GROUP ? starts : groups.find(group)?.window;
  }

  /** @throws Error for a job of which a part is not in memory: its records are never to be written again. */
  #whole(id: string): StoredJob | undefined {
    const { jobs } = this.#queue;
    const job = jobs.find(id);
    return job && jobs.whole(job);
  }
}

function inOrder<Name extends string, Kept extends Readonly<Record<Name, number>>>(
  records: readonly (readonly [id: string, record: Kept])[],
  by: Name,
): readonly (readonly [id: string, record: Kept])[] {
  return records.toSorted(([, one], [, other]) => one[by] - other[by]);
}

/** @throws Error for a job of which what it has from its run is on a disk alone: it would be lost. */
function withRun(job: StoredJob): StoredJob {
  if (job.hasRecord) return job;
  throw new Error(`A part of job ${job.id} is not in memory`);
}

function noteOlderLog(job: StoredJob | undefined, lines: readonly string[]): void {
  if (job !== undefined) job.hasOlderLog = lines.length > 0;
}

/** The payload of a job that is new here. One that is on a disk stays there: what else it has may be there, too. */
function replacePayload(job: StoredJob | undefined, { data, opts }: PayloadRecord): void {
  if (job === undefined) return;
  if (job.isWhole) Object.assign(job, { data, opts });
  else if (!job.hasOlderLog && !job.hasHistory && !hasEnded(job)) {
    job.complete({ data, opts, history: NO_HISTORY });
  }
}

/** The record of a job that ended has a history that is gone from its own. */
function replaceHistory(job: StoredJob | undefined, history: JobHistory | undefined): void {
  if (job?.isWhole !== true) return;
  if (history !== undefined) job.history = historyOf(history);
  else if (!hasEnded(job)) job.history = NO_HISTORY;
}

function isUnstarted(record: unknown): boolean {
  const status = (record as WrittenJob | undefined)?.status;
  return status === 'waiting' || status === 'prioritized' || status === 'delayed';
}
