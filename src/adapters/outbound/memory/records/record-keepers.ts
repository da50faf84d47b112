import { compareEventIds } from '../../../../domain/events/event-id.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import { hasEnded, type JobHistory } from '../../../../domain/records/job-record.ts';
import type { RememberedReport } from '../../../../domain/records/remembered-report.ts';
import type { CallWindow } from '../state/call-window.ts';
import {
  restoredChild,
  type Children,
  type KnownOfChild,
  type WrittenChild,
} from '../state/children.ts';
import type { WrittenLogPiece } from '../state/job-log.ts';
import { KeptBatch } from '../state/kept-batch.ts';
import type { AddRecord } from '../state/stored-adds.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import type { WrittenEvent } from './event-record.ts';
import { historyOf, NO_HISTORY } from './job-history.ts';
import {
  childOfRecordId,
  payloadOf,
  writtenJob,
  type PayloadRecord,
  type WrittenJob,
} from './job-record.ts';
import { pieceOfRecordId, type StartsPiece } from './limiter-record.ts';
import type { QueueRecordKind } from './record-changes.ts';
import { numberOfRecordId } from './record-ids.ts';
import { takeQueue, writtenQueue, type WrittenQueue } from './written-queue.ts';

/** A record with its id; undefined when it is gone. */
export type Entry = readonly [id: string, record: unknown];

/** Negative where the first of two records comes before the other. */
type Order = (one: Entry, other: Entry) => number;

/** How the records of one kind of a queue are read and taken. A record is undefined when it is gone. */
interface QueueRecordKeeper {
  /** The record as it is now. */
  read(queue: StoredQueue, id: string): object | undefined;
  /**
   * Takes a record as it was written.
   *
   * @param isOnDisk whether its values stay there: at the start, but not where another replica has written it.
   */
  take(queue: StoredQueue, id: string, record: unknown, isOnDisk: boolean): void;
  /** For records that refer to others, or whose order counts: the order in which they are taken once all are there. */
  readonly order?: Order;
  /** Of such a record, what is kept until then. */
  parse?(id: string, record: unknown, isOnDisk: boolean): object;
}

/** A part of a queue that keeps the records of a kind. */
interface KeepsRecords {
  record(id: string): object | undefined;
  replace(id: string, record: unknown): void;
}

export const KEEPERS: Readonly<Record<QueueRecordKind, QueueRecordKeeper>> = {
  queue: {
    read: writtenQueue,
    take: (queue, _, record: WrittenQueue) => takeQueue(queue, record),
  },
  job: { read: ({ jobs }, id) => jobRecord(jobs.find(id)), take: takeJob },
  payload: { read: payloadRecord, take: takePayload },
  logs: {
    read: () => undefined,
    take: ({ jobs }, id, record: readonly string[] = []) => {
      const job = jobs.find(id);
      job?.write({ hasOlderLog: record.length > 0 });
    },
  },
  'log-piece': {
    read: ({ jobs }, id) => {
      const [jobId, number] = numberOfRecordId(id);
      const piece = jobs.find(jobId)?.log?.piece(number);
      return piece && ({ lines: piece.value } satisfies WrittenLogPiece);
    },
    take: () => undefined,
  },
  history: { read: ({ jobs }, id) => jobs.historyRecord(id), take: takeHistory },
  child: {
    read: (queue, id) => ofChild(queue, id, (children, child) => children.record(child)),
    parse: (_, record: WrittenChild, isOnDisk) => restoredChild(record, isOnDisk),
    order: by((child: WrittenChild | undefined) => child?.number ?? 0),
    take: (queue, id, known: KnownOfChild | undefined) => {
      const [parentId] = childOfRecordId(id);
      if (queue.jobs.find(parentId) === undefined) queue.staged.replaceChild(id, known);
      else ofChild(queue, id, (children, child) => children.replace(child, known));
    },
  },
  returned: {
    read: (queue, id) => ofChild(queue, id, (children, child) => children.returned(child)),
    take: () => undefined,
  },
  group: keptBy(({ groups }) => groups),
  limiter: {
    read: (queue, id) => ofPiece(queue, id, (window, piece) => window.piece(piece)),
    // Pieces that are gone come first, the last of them before the others.
    order: by((piece: StartsPiece | undefined, id) => piece?.before ?? -pieceOfRecordId(id)[1]),
    take: (queue, id, written: StartsPiece | undefined) => {
      ofPiece(queue, id, (window, piece) => window.replace(piece, written));
    },
  },
  scheduler: keptBy(({ schedulers }) => schedulers),
  deduplication: keptBy(({ deduplications }) => deduplications),
  add: {
    ...keptBy(({ adds }) => adds),
    parse: (_, { existing, ...add }: AddRecord) => ({ ...add, existing: new Map(existing) }),
    order: by((add: AddRecord | undefined) => add?.timestamp ?? 0),
  },
  report: {
    ...keptBy(({ reports }) => reports),
    order: by((report: RememberedReport | undefined) => report?.until ?? 0),
  },
  share: keptBy(({ groups }) => groups.starts),
  events: {
    read: ({ events }, id) => events.batch(id),
    parse: (id, written: readonly WrittenEvent[], isOnDisk) => new KeptBatch(id, written, isOnDisk),
    order: ([one], [other]) => compareEventIds(one, other),
    take: ({ events }, id, batch: KeptBatch | undefined) => events.replaceBatch(id, batch),
  },
  staged: keptBy(({ staged }) => staged),
  step: keptBy(({ jobs }) => jobs.steps),
  signal: keptBy(({ signals }) => signals),
  'signal-body': keptBy(({ signals }) => signals.bodies),
};

function keptBy(part: (queue: StoredQueue) => KeepsRecords): QueueRecordKeeper {
  return {
    read: (queue, id) => part(queue).record(id),
    take: (queue, id, record) => part(queue).replace(id, record),
  };
}

function by(place: (record: never, id: string) => number): Order {
  return ([one, record], [other, otherRecord]) =>
    place(record as never, one) - place(otherRecord as never, other);
}

function ofChild<Answer>(
  { jobs }: StoredQueue,
  recordId: string,
  use: (children: Children, child: JobAddress) => Answer,
): Answer | undefined {
  const [parentId, queue, id] = childOfRecordId(recordId);
  const children = jobs.find(parentId)?.children;
  return children && use(children, { queue, id });
}

function ofPiece<Answer>(
  { starts, groups }: StoredQueue,
  recordId: string,
  use: (window: CallWindow, piece: number) => Answer,
): Answer | undefined {
  const [group, piece] = pieceOfRecordId(recordId);
  const window = group === NO_GROUP ? starts : groups.find(group)?.window;
  return window && use(window, piece);
}

/** @throws Error for a job of which what it has from its run is on a disk alone: it would be lost. */
function jobRecord(job: StoredJob | undefined): object | undefined {
  if (job?.hasRecord === false) throw new Error(`A part of job ${job.id} is not in memory`);
  return job && writtenJob(job);
}

/** A job that is started over, of which a part is not in memory, comes with its payload. */
function takeJob(
  { jobs, groups, staged }: StoredQueue,
  id: string,
  record: WrittenJob | undefined,
): void {
  const before = jobs.find(id);
  if (before !== undefined) groups.takeWaiting(before);
  const job = jobs.replace(id, record);
  if (job === undefined) {
    staged.forget(id);
    return;
  }
  if (before === undefined) staged.giveChildren(job);
  const payload = before === undefined ? staged.payload(id) : undefined;
  if (payload !== undefined) completeNew(job, payload);
  groups.restoreWaiting(job);
}

/** @throws Error for a job of which a part is not in memory: its records are never to be written again. */
function payloadRecord({ jobs, staged }: StoredQueue, id: string): PayloadRecord | undefined {
  const job = jobs.find(id);
  return job === undefined ? staged.payload(id) : payloadOf(jobs.whole(job));
}

function takePayload(
  { jobs, staged }: StoredQueue,
  id: string,
  payload: PayloadRecord | undefined,
  isOnDisk: boolean,
): void {
  const job = jobs.find(id);
  if (job === undefined || payload === undefined) staged.replacePayload(id, payload);
  else {
    jobs.noteName(id, payload);
    if (!isOnDisk) completeNew(job, payload);
  }
}

/** The payload of a job that is new here. One that is on a disk stays there: what else it has may be there, too. */
function completeNew(job: StoredJob, { data, opts }: PayloadRecord): void {
  if (job.isWhole) job.write({ data, opts });
  else if (!job.hasOlderLog && !job.hasHistory && !hasEnded(job)) {
    job.complete({ data, opts, history: NO_HISTORY });
  }
}

/** The record of a job that ended has a history that is gone from its own. */
function takeHistory({ jobs }: StoredQueue, id: string, history: JobHistory | undefined): void {
  const job = jobs.find(id);
  if (job?.isWhole !== true) return;
  if (history !== undefined) job.write({ history: historyOf(history) });
  else if (!hasEnded(job)) job.write({ history: NO_HISTORY });
}
