import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Child } from '../../../../domain/records/child-record.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import {
  childOfRecordId,
  childRecordId,
  payloadOf,
  type PayloadRecord,
} from '../records/job-record.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import type { KnownOfChild } from './children.ts';
import { ForeseenJob, type Orders } from './foreseen-job.ts';
import type { StoredJob } from './stored-job.ts';
import type { StoredQueue } from './stored-queue.ts';

/** The queue of which records are staged. */
type StagingQueue = Pick<StoredQueue, 'jobs' | 'groups' | 'withdraw' | 'putBack'>;

const NOT_STAGED = { isStaged: false, job: undefined } as const;

/** A piece of a large add as it is written. */
export interface StagedPiece {
  /** When it was staged (epoch ms). */
  readonly at: number;
  /** The ids of the jobs whose payloads it has. */
  readonly ids: readonly string[];
  /** Whether it has the records of its jobs as well. */
  readonly areForeseen?: boolean;
  /** The ids of the jobs whose children it has. */
  readonly parents?: readonly string[];
}

/** The jobs and children that one piece stages in one queue. */
export interface StagedPart {
  readonly queue: QueueName;
  /** Whether the records of its jobs are known before the jobs are there. */
  readonly areForeseen: boolean;
  readonly jobs: JobRecord[];
  /** Children by their parents, which are of the queue. */
  readonly children: Map<string, Child[]>;
}

/** A piece whose jobs are not all there yet. */
interface OpenPiece {
  readonly written: StagedPiece;
  /** How many of its jobs are not there. */
  left: number;
}

/** The staged records of one job. */
interface StagedJob {
  readonly payload: PayloadRecord;
  /** Undefined where another process has staged it. */
  readonly own?: {
    readonly made: JobRecord;
    readonly piece: OpenPiece;
    readonly foreseen: ForeseenJob | undefined;
  };
}

/**
 * The staged records of one queue: those that are stored before their jobs are there (docs/adr/0042). No caller sees
 * them. Once a job is there, its own record takes the place of the staged one.
 */
export class StagedJobs {
  readonly #pieces = new Map<string, OpenPiece>();
  readonly #jobs = new Map<string, StagedJob>();
  /** The jobs whose records another process has staged. */
  readonly #withheld = new Map<string, StoredJob>();
  /** By parent and the ids of their records. */
  readonly #children = new Map<string, Map<string, KnownOfChild>>();
  /** The job that is being inserted, until it has its place. */
  #arriving: ForeseenJob | undefined;
  readonly #changes: ChangesOfQueue;
  readonly #queue: StagingQueue;

  constructor(changes: ChangesOfQueue, queue: StagingQueue) {
    this.#changes = changes;
    this.#queue = queue;
  }

  /** Stages a piece. A job whose id is staged already is left out. */
  put(key: string, at: number, { jobs, areForeseen, children }: StagedPart): void {
    const fresh = jobs.filter(({ id }) => !this.#jobs.has(id));
    const [ids, parents] = [fresh.map(({ id }) => id), [...children.keys()]];
    const written = { at, ids, areForeseen, parents };
    const piece: OpenPiece = { written, left: ids.length };
    this.#pieces.set(key, piece);
    for (const made of fresh) {
      const { id } = made;
      const foreseen = areForeseen ? this.#foreseen(made) : undefined;
      this.#jobs.set(id, { payload: payloadOf(made), own: { made, piece, foreseen } });
      this.#note(id, false);
      if (foreseen !== undefined) this.#changes.note('job', id, foreseen.text);
    }
    for (const [parentId, siblings] of children) this.#putChildren(parentId, siblings);
    this.#changes.note('staged', key);
  }

  has(key: string): boolean {
    return this.#pieces.has(key);
  }

  /** Ends a piece: its records are those of their jobs from now on, or gone where there is no job. */
  end(key: string): void {
    const piece = this.#pieces.get(key);
    if (piece === undefined) return;
    const { ids, areForeseen = false, parents = [] } = piece.written;
    for (const parentId of parents) {
      if (this.#queue.jobs.find(parentId) === undefined) this.#noteChildren(parentId);
      this.#children.delete(parentId);
    }
    for (const id of piece.left > 0 ? ids : []) {
      const isLeft = this.#jobs.delete(id);
      this.#withheld.delete(id);
      if (this.#queue.jobs.find(id) === undefined) this.#note(id, areForeseen);
      else if (isLeft) this.#queue.jobs.noteAgain([id]);
    }
    this.#pieces.delete(key);
    this.#changes.note('staged', key);
  }

  /** Ends the pieces that were staged before a time, by a process that has ended. */
  endBefore(time: number): void {
    for (const [key, { written }] of this.#pieces) if (written.at < time) this.end(key);
  }

  payload(id: string): PayloadRecord | undefined {
    const withheld = this.#withheld.get(id);
    return withheld?.isWhole === true ? payloadOf(withheld) : this.#jobs.get(id)?.payload;
  }

  /** To be called when the record of a job is gone: the end of its piece does not show it. */
  forget(id: string): void {
    this.#withheld.delete(id);
  }

  /**
   * Takes a job that is added from the staged ones.
   *
   * @returns how it was foreseen, if it was.
   */
  take(record: JobRecord): { readonly isStaged: boolean; readonly job: StoredJob | undefined } {
    this.#arriving = undefined;
    const own = this.#jobs.size === 0 ? undefined : this.#jobs.get(record.id)?.own;
    if (own?.made !== record) return NOT_STAGED;
    this.#jobs.delete(record.id);
    own.piece.left -= 1;
    this.#arriving = own.foreseen;
    return { isStaged: true, job: own.foreseen?.job };
  }

  /** The orders that are reserved for a job that is being inserted. */
  reserved(job: StoredJob): Orders | undefined {
    return this.#arriving?.job === job ? this.#arriving.reserved : undefined;
  }

  isArriving(id: string): boolean {
    return this.#arriving?.job.id === id;
  }

  /** To be called once a job has its place. @returns whether its record is stored by now. */
  hasArrived(job: StoredJob): boolean {
    const foreseen = this.#arriving;
    if (foreseen?.job !== job) return false;
    this.#arriving = undefined;
    return foreseen.is(job);
  }

  /** Whether the children of a job are staged: all of them are by the step that adds it. */
  hasChildren(parentId: string): boolean {
    return this.#children.has(parentId);
  }

  /** Gives a job that others added the children that were staged for it. */
  giveChildren({ id: parentId, children }: StoredJob): void {
    for (const [recordId, known] of this.#children.get(parentId) ?? []) {
      const [, queue, id] = childOfRecordId(recordId);
      children?.replace({ queue, id }, known);
    }
  }

  record(key: string): StagedPiece | undefined {
    return this.#pieces.get(key)?.written;
  }

  /**
   * Takes a piece as it was written. The jobs of its records, which were taken before it, are withheld until the piece
   * ends. Undefined when it has ended: its jobs are there from now on, except those whose records are gone.
   */
  replace(key: string, written: StagedPiece | undefined): void {
    const { ids = [], parents = [] } = this.#pieces.get(key)?.written ?? {};
    for (const id of ids) this.#jobs.delete(id);
    for (const parentId of parents) this.#children.delete(parentId);
    this.#pieces.delete(key);
    if (written === undefined) {
      this.#show(ids);
      return;
    }
    this.#pieces.set(key, { written, left: written.ids.length });
    for (const id of written.areForeseen === true ? written.ids : []) {
      const job = this.#queue.withdraw(id);
      if (job !== undefined) this.#withheld.set(id, job);
    }
  }

  /** Takes a payload as it was written, of which there is no job yet; undefined when it is gone. */
  replacePayload(id: string, payload: PayloadRecord | undefined): void {
    if (payload === undefined) this.#jobs.delete(id);
    else this.#jobs.set(id, { payload });
  }

  /** Takes the record of a child that has no parent yet; undefined when the record is gone. */
  replaceChild(recordId: string, known: KnownOfChild | undefined): void {
    const [parentId] = childOfRecordId(recordId);
    if (known === undefined) this.#children.get(parentId)?.delete(recordId);
    else keptOrMade(this.#children, parentId, () => new Map()).set(recordId, known);
  }

  /** Notes all staged records as changed, since their queue is removed. */
  noteAll(): void {
    for (const ids of [this.#jobs.keys(), this.#withheld.keys()]) {
      for (const id of ids) this.#note(id, true);
    }
    for (const parentId of this.#children.keys()) this.#noteChildren(parentId);
    for (const key of this.#pieces.keys()) this.#changes.note('staged', key);
  }

  #show(ids: readonly string[]): void {
    for (const id of this.#withheld.size > 0 ? ids : []) {
      const job = this.#withheld.get(id);
      this.#withheld.delete(id);
      if (job !== undefined && this.#queue.jobs.find(id) === undefined) this.#queue.putBack(job);
    }
  }

  #foreseen(made: JobRecord): ForeseenJob {
    const { jobs, groups } = this.#queue;
    const inGroup = made.group && groups.reservePlace();
    return new ForeseenJob(made, [jobs.in.waiting.reserve(), inGroup]);
  }

  #putChildren(parentId: string, siblings: readonly Child[]): void {
    const staged = keptOrMade(this.#children, parentId, () => new Map());
    for (const child of siblings) {
      const { number, onFailure } = child;
      const [id, known] = [childRecordId(parentId, child), { number, onFailure }];
      staged.set(id, known);
      this.#changes.note('child', id, JSON.stringify(known));
    }
  }

  #noteChildren(parentId: string): void {
    for (const id of this.#children.get(parentId)?.keys() ?? []) this.#changes.note('child', id);
  }

  #note(id: string, hasRecord: boolean): void {
    if (this.#queue.jobs.find(id) !== undefined) return;
    this.#changes.note('payload', id);
    if (hasRecord) this.#changes.note('job', id);
  }
}
