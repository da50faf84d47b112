import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Child } from '../../../../domain/records/child-record.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import { childOfRecordId, childRecordId, type PayloadRecord } from '../records/job-record.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import type { KnownOfChild } from './children.ts';
import { ForeseenJob } from './foreseen-job.ts';
import type { StoredJob } from './stored-job.ts';
import type { StoredJobs } from './stored-jobs.ts';

/** How much of the records of a piece, besides its payloads, is known before its jobs are there. */
interface Prepared {
  /** Whether the records of its jobs are known, except for their order. */
  readonly areForeseen: boolean;
  /** Whether the known records are stored before the jobs are there. */
  readonly areStored: boolean;
}

/** A piece of a large add as it is written. Those of earlier versions have payloads alone. */
export interface StagedPiece extends Partial<Prepared> {
  /** When it was staged (epoch ms). */
  readonly at: number;
  /** The ids of the jobs whose payloads it has. */
  readonly ids: readonly string[];
  /** The ids of the jobs whose children it has. */
  readonly parents?: readonly string[];
}

/** The jobs and children that one piece stages in one queue. */
export interface StagedPart extends Prepared {
  readonly queue: QueueName;
  readonly jobs: JobRecord[];
  /** Children by their parents, which are of the queue. */
  readonly children: Map<string, Child[]>;
}

/**
 * The staged records of one queue: those that are stored before their jobs are there (docs/adr/0042). No caller sees
 * them. Once a job is there, its own record takes the place of the staged one.
 */
export class StagedJobs {
  readonly #pieces = new Map<string, StagedPiece>();
  readonly #payloads = new Map<string, PayloadRecord>();
  readonly #foreseen = new Map<string, ForeseenJob>();
  /** By parent and the ids of their records. */
  readonly #children = new Map<string, Map<string, KnownOfChild>>();
  readonly #changes: ChangesOfQueue;
  readonly #jobs: () => StoredJobs;

  constructor(changes: ChangesOfQueue, jobs: () => StoredJobs) {
    this.#changes = changes;
    this.#jobs = jobs;
  }

  /** Stages a piece. A job whose id is staged already is left out. */
  put(key: string, at: number, { jobs, areForeseen, areStored, children }: StagedPart): void {
    const fresh = jobs.filter(({ id }) => !this.#payloads.has(id));
    for (const job of fresh) {
      const { id, name, data, opts } = job;
      this.#payloads.set(id, { name, data, opts });
      this.#note(id);
      if (areForeseen) this.#foresee(job, areStored);
    }
    for (const [parentId, siblings] of children) this.#putChildren(parentId, siblings, areStored);
    const [ids, parents] = [fresh.map(({ id }) => id), [...children.keys()]];
    this.#pieces.set(key, { at, ids, areForeseen, areStored, parents });
    this.#changes.note('staged', key);
  }

  has(key: string): boolean {
    return this.#pieces.has(key);
  }

  /** Ends a piece: its records are those of their jobs from now on, or gone where there is no job. */
  end(key: string): void {
    const piece = this.#pieces.get(key);
    if (piece === undefined) return;
    const { ids, areForeseen = false, areStored = false, parents = [] } = piece;
    for (const parentId of parents) this.#endChildren(parentId, areStored);
    const foreseen = ids.map((id) => this.#foreseen.get(id));
    this.replace(key, undefined);
    const jobs = this.#jobs();
    for (const [index, id] of ids.entries()) {
      const [job, expected] = [jobs.find(id), foreseen[index]];
      if (job === undefined) this.#note(id, areForeseen);
      else if (expected?.is(job) === false) jobs.noteAgain([id]);
      else if (areForeseen && areStored) jobs.stored({ of: 'job', id });
      else if (expected !== undefined) this.#changes.note('job', id, expected.text(job.order));
    }
    this.#changes.note('staged', key);
  }

  /** Ends the pieces that were staged before a time, by a process that has ended. */
  endBefore(time: number): void {
    for (const [key, { at }] of this.#pieces) if (at < time) this.end(key);
  }

  payload(id: string): PayloadRecord | undefined {
    return this.#payloads.get(id);
  }

  /** Whether the payload of a job is staged as it is, so that it needs not be written again. */
  holds({ id, name, data, opts }: JobRecord): boolean {
    const staged = this.#payloads.get(id);
    return staged?.name === name && staged.data === data && staged.opts === opts;
  }

  /** Returns a foreseen job. Every change of any job asks for one, and there are hardly ever any. */
  foreseen(id: string): ForeseenJob | undefined {
    return this.#foreseen.size === 0 ? undefined : this.#foreseen.get(id);
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
    return this.#pieces.get(key);
  }

  /** Takes a piece as it was written, with records that were restored as those of jobs; undefined when it has ended. */
  replace(key: string, piece: StagedPiece | undefined): void {
    const { ids = [], parents = [] } = this.#pieces.get(key) ?? {};
    for (const id of ids) {
      this.#payloads.delete(id);
      this.#foreseen.delete(id);
    }
    for (const parentId of parents) this.#children.delete(parentId);
    this.#pieces.delete(key);
    if (piece === undefined) return;
    this.#pieces.set(key, piece);
    if (piece.areForeseen !== true || piece.areStored !== true) return;
    for (const id of piece.ids) this.#jobs().replace(id, undefined);
  }

  /** Takes a payload as it was written, of which there is no job yet; undefined when it is gone. */
  replacePayload(id: string, payload: PayloadRecord | undefined): void {
    if (payload === undefined) this.#payloads.delete(id);
    else this.#payloads.set(id, payload);
  }

  /** Takes the record of a child that has no parent yet; undefined when the record is gone. */
  replaceChild(recordId: string, known: KnownOfChild | undefined): void {
    const [parentId] = childOfRecordId(recordId);
    if (known === undefined) this.#children.get(parentId)?.delete(recordId);
    else keptOrMade(this.#children, parentId, () => new Map()).set(recordId, known);
  }

  /** Notes all staged records as changed, since their queue is removed. */
  noteAll(): void {
    for (const id of this.#payloads.keys()) this.#note(id, true);
    for (const children of this.#children.values()) {
      for (const recordId of children.keys()) this.#changes.note('child', recordId);
    }
    for (const key of this.#pieces.keys()) this.#changes.note('staged', key);
  }

  #foresee(record: JobRecord, isStored: boolean): void {
    const { id } = record;
    const order = isStored ? this.#jobs().in.waiting.reserve() : undefined;
    const job = new ForeseenJob(record, order);
    this.#foreseen.set(id, job);
    if (order !== undefined) this.#changes.note('job', id, job.text(order));
  }

  #putChildren(parentId: string, siblings: readonly Child[], areStored: boolean): void {
    const staged = keptOrMade(this.#children, parentId, () => new Map());
    for (const child of siblings) {
      const { number, onFailure } = child;
      const [id, known] = [childRecordId(parentId, child), { number, onFailure }];
      staged.set(id, known);
      if (areStored) this.#changes.note('child', id, JSON.stringify(known));
    }
  }

  /** Has children written that are there and not stored, or stored and not there. */
  #endChildren(parentId: string, areStored: boolean): void {
    const isThere = this.#jobs().find(parentId) !== undefined;
    if (isThere === areStored) return;
    for (const [id, known] of this.#children.get(parentId) ?? []) {
      this.#changes.note('child', id, isThere ? JSON.stringify(known) : undefined);
    }
  }

  #note(id: string, hasRecord = this.#foreseen.has(id)): void {
    if (this.#jobs().find(id) !== undefined) return;
    this.#changes.note('payload', id);
    if (hasRecord) this.#changes.note('job', id);
  }
}
