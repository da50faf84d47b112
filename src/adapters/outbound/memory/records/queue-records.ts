import type { StoredQueue } from '../state/stored-queue.ts';
import type { WrittenJob } from './job-record.ts';
import type { ChangesOfQueue, QueueRecordKind } from './record-changes.ts';
import { KEEPERS, type Entry } from './record-keepers.ts';

/**
 * The records of one queue: what a store that is kept on a disk writes of it, and what the queue becomes again from
 * these. Records are flat, each of a bounded size; positions in lists are part of them.
 */
export class QueueRecords {
  readonly #queue: StoredQueue;
  readonly #changes: ChangesOfQueue;
  /** Those that refer to others, or whose order counts, until all are there. */
  readonly #pending = new Map<QueueRecordKind, Entry[]>();
  /** Whether another replica put a job where it waits. */
  #hasPlaced = false;
  /** Whether it ended one that ran, or changed what decides whether one starts. */
  #hasFreed = false;

  constructor(queue: StoredQueue, changes: ChangesOfQueue) {
    this.#queue = queue;
    this.#changes = changes;
  }

  /** The record as it is now; undefined when it is gone. */
  read(kind: QueueRecordKind, id: string): object | undefined {
    return KEEPERS[kind].read(this.#queue, id);
  }

  /** Notes all of them, as the queue goes. */
  noteAll(): void {
    const { jobs, groups, deduplications, schedulers, adds, reports, staged } = this.#queue;
    const { starts, events, signals } = this.#queue;
    this.#changes.note('queue', '');
    const parts = [
      starts,
      jobs,
      groups,
      deduplications,
      schedulers,
      adds,
      reports,
      staged,
      events,
      signals,
    ];
    for (const part of parts) part.noteAll();
  }

  /**
   * Takes a record as it was written; undefined when it is gone. Those of jobs come before those of their payloads and
   * logs, and those of other replicas in the order of their kinds.
   *
   * @param isOnDisk whether its values stay there: at the start, but not where another replica has written it.
   */
  take(kind: QueueRecordKind, id: string, record: unknown, isOnDisk: boolean): void {
    if (!isOnDisk) {
      this.#hasPlaced ||= isPlaced(kind, record) || this.#shows(kind, id, record);
      this.#hasFreed ||= this.#frees(kind, id, record);
    }
    const keeper = KEEPERS[kind];
    if (keeper.order === undefined) {
      keeper.take(this.#queue, id, record, isOnDisk);
      return;
    }
    const entries = this.#pending.get(kind) ?? [];
    this.#pending.set(kind, entries);
    const isParsed = keeper.parse !== undefined && record !== undefined;
    entries.push([id, isParsed ? keeper.parse?.(id, record, isOnDisk) : record]);
  }

  /** Whether a claim may succeed since records of other replicas were replaced, and this was last asked. */
  takeMayStart(): boolean {
    const { name, record, jobs, limits } = this.#queue;
    const { waiting, prioritized, delayed } = jobs.in;
    const hasRoom = this.#hasFreed && !limits.refuses(name);
    const mayStart = (this.#hasPlaced || hasRoom) && !record.isPaused;
    [this.#hasPlaced, this.#hasFreed] = [false, false];
    return mayStart && waiting.size + prioritized.size + delayed.size > 0;
  }

  /** To be called once all records are there, or all that are replaced together. */
  restored(): void {
    for (const [kind, entries] of this.#pending) {
      const keeper = KEEPERS[kind];
      for (const [id, record] of entries.sort(keeper.order)) {
        keeper.take(this.#queue, id, record, false);
      }
    }
    this.#pending.clear();
  }

  /** Whether the record shows jobs that were staged. */
  #shows(kind: QueueRecordKind, id: string, record: unknown): boolean {
    return kind === 'staged' && record === undefined && this.#queue.staged.has(id);
  }

  /** Whether it ends a job that runs here, or may let others start. */
  #frees(kind: QueueRecordKind, id: string, record: unknown): boolean {
    if (kind !== 'job') return kind === 'queue' || kind === 'group';
    const { status } = (record ?? {}) as Partial<WrittenJob>;
    return status !== 'active' && this.#queue.jobs.find(id)?.status === 'active';
  }
}

function isPlaced(kind: QueueRecordKind, record: unknown): boolean {
  if (kind !== 'job') return false;
  const { status } = (record ?? {}) as Partial<WrittenJob>;
  return status === 'waiting' || status === 'prioritized' || status === 'delayed';
}
