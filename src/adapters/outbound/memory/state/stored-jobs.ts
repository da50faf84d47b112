import { MOST_CHILDREN_BYTES, type JobAddress } from '../../../../domain/flows/flow.ts';
import type { Child } from '../../../../domain/records/child-record.ts';
import {
  hasEnded,
  optionsOf,
  type JobChanges,
  type JobRecord,
  type ListedJob,
} from '../../../../domain/records/job-record.ts';
import { endedState, type EndedState } from '../../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobsState } from '../../../../domain/transitions/queue-state.ts';
import { ByTime } from './by-time.ts';
import type { ChildEnd } from './child-end.ts';
import { Children, type StoredChild } from './children.ts';
import { FailedJobs } from './failed-jobs.ts';
import { JobLists } from './job-lists.ts';
import { JobLog, type LogPiece } from './job-log.ts';
import type { FoundJob } from '../records/kept-jobs.ts';
import {
  childOfRecordId,
  childRecordId,
  restoredJob,
  runOf,
  type PayloadRecord,
  type WrittenJob,
} from '../records/job-record.ts';
import { replacedHistory } from '../records/job-history.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import { numberedRecordId, numberOfRecordId } from '../records/record-ids.ts';
import type { ValueKey } from '../records/value-key.ts';
import type { StagedJobs } from './staged-jobs.ts';
import { SharedTexts } from './shared-texts.ts';
import { StoredHistories } from './stored-histories.ts';
import type { RecentPayloads } from './recent-payloads.ts';
import type { Surroundings } from './stored-queue.ts';
import { asStored, StoredJob } from './stored-job.ts';
import { StoredTexts } from './stored-texts.ts';
import { SuspendedJobs } from './suspended-jobs.ts';
import { UnredactedJobs } from './unredacted-jobs.ts';
import { UnstartedByAge } from './unstarted-by-age.ts';

const NONE: readonly StoredJob[] = [];

/** The jobs of one queue, in the lists of their states. Transitions move them; nothing is decided here. */
export class StoredJobs implements JobsState {
  readonly #byId = new Map<string, StoredJob>();
  readonly #names = new SharedTexts();
  readonly #histories = new StoredHistories();
  readonly #unnamed = new Set<string>();
  /** The lists, for reading. */
  readonly listed: JobLists;
  readonly in: JobLists['of'];
  readonly failedByClaims: FailedJobs;
  /** Those that have not started and must start in time, by their latest start. */
  readonly #expiring = new ByTime<StoredJob>();
  /** Those that were put back; some may have moved since, or another job started. */
  readonly #returned = new Set<StoredJob>();
  /** Those that are held by their acceptance, by the time of their next check. */
  readonly #accepted = new ByTime<StoredJob>();
  /** For reading. */
  readonly suspended = new SuspendedJobs();
  /** The values of steps, by job and number. */
  readonly steps: StoredTexts;
  readonly #redaction = { completed: new UnredactedJobs(), failed: new UnredactedJobs() };
  readonly #unstarted: UnstartedByAge;
  readonly #changes: ChangesOfQueue;
  readonly #queue: QueueName;
  readonly #payloads: RecentPayloads;
  readonly #wants: Surroundings['wants'];
  readonly #limits: Surroundings['limits'];
  readonly #starts: () => number;
  readonly #staged: StagedJobs;
  /** Jobs that a step needed all of. */
  readonly #wanted = new Set<StoredJob>();
  #fetching: Promise<void> | undefined;

  /**
   * @param payloads those that are in memory.
   * @param starts returns how many jobs of the queue were taken so far.
   */
  constructor(
    queue: QueueName,
    changes: ChangesOfQueue,
    surroundings: Pick<Surroundings, 'limits' | 'payloads' | 'values' | 'wants'>,
    starts: () => number,
    staged: StagedJobs,
  ) {
    this.#queue = queue;
    this.#changes = changes;
    this.#payloads = surroundings.payloads;
    this.#wants = surroundings.wants;
    this.#limits = surroundings.limits;
    this.#starts = starts;
    this.#staged = staged;
    this.steps = new StoredTexts('step', queue, changes, surroundings);
    this.listed = new JobLists(
      (job) => {
        if (!staged.hasArrived(job)) this.#note(job.id);
      },
      (job) => staged.reserved(job)?.[0],
    );
    this.in = this.listed.of;
    this.#unstarted = new UnstartedByAge(this.in, (id) => this.#byId.get(id));
    this.failedByClaims = new FailedJobs(() => {
      changes.note('queue', '');
    });
  }

  find(id: string): StoredJob | undefined {
    return this.#byId.get(id);
  }

  indexed(job: ListedJob): StoredJob {
    return asStored(job);
  }

  whole(job: ListedJob): StoredJob {
    const stored = asStored(job);
    if (!stored.isWhole) throw new Error(`A part of job ${job.id} is not in memory`);
    return stored;
  }

  isAtHand(job: ListedJob, isToStart = false): boolean {
    const stored = asStored(job);
    if (stored.isWhole && !(isToStart && lacksReturned(stored))) return true;
    this.#wanted.add(stored);
    this.#wants(this.#queue);
    return false;
  }

  /** The jobs of which `isAtHand` said no since this was last called. */
  takeWanted(): readonly StoredJob[] {
    if (this.#wanted.size === 0) return NONE;
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    return wanted;
  }

  /** Runs a reading of jobs, or awaits the one that runs: steps of one moment need the same jobs. */
  async fetchOnce(run: () => Promise<void>): Promise<void> {
    this.#fetching ??= run().finally(() => {
      this.#fetching = undefined;
    });
    await this.#fetching;
  }

  /** Up to `most` jobs that come behind one of the same state. */
  behind(job: StoredJob, most: number): readonly StoredJob[] {
    return job.status === undefined ? NONE : this.in[job.status].behind(job, most);
  }

  /** Takes back what was on a disk of a job. */
  complete(job: StoredJob, { payload, run, olderLog }: FoundJob): void {
    job.complete(payload, run);
    if (job.hasOlderLog) this.#rewriteLog(job, olderLog);
    if (endedState(job.status) === undefined) this.#payloads.keep(this.#queue, job);
  }

  /** Takes back what a child returned, which was on a disk. */
  completeChild(parentId: string, { queue, id, ending }: StoredChild, returnvalue: string): void {
    ending?.complete(returnvalue);
    this.#keepEnd(childRecordId(parentId, { queue, id }));
  }

  /** To be called once all values of an owner are on a disk as they are now. */
  stored({ of, id }: Pick<ValueKey, 'of' | 'id'>): void {
    if (of === 'child') this.#keepEnd(id);
    else if (of === 'log-piece') this.#keepLogPiece(id);
    else if (of === 'step') this.steps.stored(id);
    else this.#keepOrShrink(id);
  }

  /** To be called once the payload of a job is on a disk, although nothing of the job may have been written. */
  keep(id: string): void {
    const job = this.#byId.get(id);
    if (job !== undefined && !hasEnded(job)) this.#payloads.keep(this.#queue, job);
  }

  /** To be called after a step for which jobs were completed. */
  makeRoom(): void {
    this.#payloads.makeRoom();
  }

  insert(record: JobRecord, children: readonly Child[] = []): StoredJob {
    const { isStaged, job = StoredJob.of(record) } = this.#staged.take(record);
    const stored = this.#withChildren(job);
    this.#byId.set(stored.id, stored);
    this.#expiring.add(stored.expiresAt, stored.id, stored);
    this.#unstarted.add(stored.id);
    this.#note(stored.id);
    if (!isStaged) this.#changes.note('payload', stored.id);
    this.#addChildren(stored, children);
    return stored;
  }

  write(job: StoredJob, changes: JobChanges): void {
    if ('expiresAt' in changes) this.#expiring.remove(job.expiresAt, job.id);
    const concernsSuspension =
      'suspension' in changes || ('status' in changes && job.suspension !== undefined);
    if (concernsSuspension) this.suspended.remove(job);
    const concernsAcceptance = 'acceptance' in changes || 'lock' in changes;
    if (concernsAcceptance) this.#accepted.remove(checkedAt(job), job.id);
    if ('limits' in changes) this.#countLimits(job, -1);
    const history = job.isWhole ? job.history : undefined;
    job.write(changes);
    if ('limits' in changes) this.#countLimits(job, 1);
    if (concernsAcceptance) this.#accepted.add(checkedAt(job), job.id, job);
    if (concernsSuspension) this.suspended.add(job);
    this.#note(job.id);
    // The history of a job moves to another record when the job ends, and when it starts over.
    const isHistoryChanged = history !== undefined && job.history !== history;
    if (isHistoryChanged || 'finishedOn' in changes) this.#changes.note('history', job.id);
    if (changes.data !== undefined || changes.opts !== undefined) {
      this.#changes.note('payload', job.id);
    }
    if (changes.returned !== undefined) this.#returned.add(job);
  }

  remove(job: StoredJob): void {
    this.#takeOut(job);
    this.#forgetReturned(job);
    this.#unstarted.remove(job.id);
    this.#noteAll(job);
    this.#histories.remove(job);
  }

  oldestUnstarted(): StoredJob | undefined {
    return this.#unstarted.oldest();
  }

  oldestEnded(status: EndedState): StoredJob | undefined {
    return this.listed.oldest(status);
  }

  endedBy(status: EndedState, time: number, most: number): readonly StoredJob[] {
    return this.listed.finishedBy(status, time).slice(-most);
  }

  *returned(): Generator<StoredJob> {
    for (const job of this.#returned) {
      if (job.returned?.starts === this.#starts()) yield job;
      else this.#returned.delete(job);
    }
  }

  expired(now: number): StoredJob | undefined {
    return this.#expiring.first(now);
  }

  firstAccepted(): StoredJob | undefined {
    return this.#accepted.first();
  }

  childrenOf({ children }: StoredJob): Children | undefined {
    return children;
  }

  addChildren(job: StoredJob, added: readonly Child[]): void {
    job.write({ isParent: true });
    if (job.children === undefined) this.#withChildren(job);
    this.#addChildren(job, added);
    this.#note(job.id);
  }

  putStep({ id }: StoredJob, number: number, value: string): void {
    this.steps.put(numberedRecordId(id, number), value);
  }

  removeStep({ id }: StoredJob, number: number): void {
    this.steps.remove(numberedRecordId(id, number));
  }

  waitingFor(key: string): ReadonlySet<StoredJob> {
    return this.suspended.waitingFor(key);
  }

  addLog(job: StoredJob, line: string, most: number): void {
    const log = job.log ?? new JobLog();
    job.write({ log });
    this.#note(job.id);
    for (const piece of log.add(line, most)) this.#noteLogPiece(job, piece);
  }

  clearLog(job: StoredJob): void {
    this.#note(job.id);
    for (const piece of job.log?.pieces ?? []) this.#noteLogPiece(job, piece);
    job.write({ log: undefined });
  }

  /** Those before the first one that it found last are not looked at again: jobs end one behind the other. */
  unredacted(status: EndedState, most: number): readonly StoredJob[] {
    return this.#redaction[status].next(this.in[status], most);
  }

  /** Has the records of some jobs written again. */
  noteAgain(ids: readonly string[]): void {
    for (const id of ids) if (this.#byId.has(id)) this.#note(id);
  }

  /** The jobs whose records are of earlier versions, without their names. */
  unnamed(): readonly string[] {
    return [...this.#unnamed];
  }

  /** The history of a job as the record of its own is to have it. */
  historyRecord(id: string): object | undefined {
    return this.#histories.record(id, this.#byId.get(id));
  }

  /** All jobs, in the order in which they are removed with the queue. */
  get inOrderOfRemoval(): readonly StoredJob[] {
    return this.listed.inOrderOfRemoval();
  }

  /** Notes all records of all jobs, as the queue goes. */
  noteAll(): void {
    for (const job of this.#byId.values()) this.#noteAll(job);
  }

  /** Takes the name and the first delay of a job from its payload, if its record has none. */
  noteName(id: string, { name, opts }: PayloadRecord): void {
    const job = this.#byId.get(id);
    if (!this.#unnamed.delete(id) || job === undefined) return;
    job.name = this.#names.of(name);
    job.firstDelay = optionsOf({ opts }).delay;
  }

  /**
   * Takes a job as it was written; undefined when it is gone. What has records of its own stays as it is here.
   *
   * @returns the job.
   */
  replace(id: string, record: WrittenJob | undefined): StoredJob | undefined {
    const before = this.#byId.get(id);
    if (before?.status !== undefined) this.in[before.status].remove(before);
    if (before !== undefined) this.#takeOut(before);
    if (record === undefined) {
      this.#unstarted.remove(id);
      if (before !== undefined) this.#forgetReturned(before);
      return undefined;
    }
    if (before === undefined) this.#unstarted.add(id);
    const job = this.#restore(before === undefined ? record : { name: before.name, ...record });
    if (before === undefined) return job;
    if (before.isWhole && !job.hasOlderLog) {
      const { data, opts } = before;
      const history = replacedHistory(before.history, record);
      job.complete({ data, opts, history }, runOf(record));
    }
    if (before.children !== undefined) job.write({ children: before.children });
    return job;
  }

  /** Puts a withdrawn job back into its lists. Its payload may still be in memory. */
  putBack(job: StoredJob): void {
    this.#unstarted.add(job.id);
    this.#enter(job);
    this.keep(job.id);
  }

  /** Puts a job where it was when its record was written; its payload is on a disk. @returns it. */
  #restore(record: WrittenJob): StoredJob {
    const job = this.#withChildren(restoredJob(record, (text) => this.#names.of(text)));
    if (record.name === undefined) this.#unnamed.add(job.id);
    if (endedState(job.status) === undefined) this.#histories.restore(job, record);
    this.#enter(job);
    return job;
  }

  #enter(job: StoredJob): void {
    this.#byId.set(job.id, job);
    if (endedState(job.status) === undefined) {
      this.#expiring.add(job.expiresAt, job.id, job);
      this.#accepted.add(checkedAt(job), job.id, job);
      this.suspended.add(job);
      this.#countLimits(job, 1);
      if (job.returned !== undefined) this.#returned.add(job);
    }
    if (job.status !== undefined && job.position !== undefined) this.in[job.status].restore(job);
  }

  /** Takes a job out that has left its place. */
  #takeOut(job: StoredJob): void {
    this.#byId.delete(job.id);
    this.#expiring.remove(job.expiresAt, job.id);
    this.#accepted.remove(checkedAt(job), job.id);
    this.suspended.remove(job);
    this.#countLimits(job, -1);
    this.#returned.delete(job);
    this.#payloads.forget(job);
    for (const piece of job.log?.pieces ?? []) this.#payloads.forget(piece);
  }

  #countLimits({ limits }: StoredJob, jobs: number): void {
    this.#limits.calls.count(this.#queue, limits, jobs);
  }

  #withChildren(job: StoredJob): StoredJob {
    if (job.isParent !== true) return job;
    const children = new Children({
      changed: (child, ...ends) => {
        this.#noteChild(job.id, child, ...ends);
      },
      outdated: (end) => {
        this.#payloads.forget(end);
      },
    });
    job.write({ children });
    return job;
  }

  #addChildren({ id: parentId, children }: StoredJob, added: readonly Child[]): void {
    const areStaged = this.#staged.hasChildren(parentId);
    for (const { queue, id, number, onFailure } of added) {
      children?.add({ queue, id, number, onFailure });
      if (!areStaged) this.#noteChild(parentId, { queue, id });
    }
  }

  #keepOrShrink(id: string): void {
    const job = this.#byId.get(id);
    if (job === undefined) return;
    if (endedState(job.status) === undefined) this.#payloads.keep(this.#queue, job);
    else this.#payloads.shrink(job);
  }

  #keepEnd(recordId: string): void {
    const [parentId, queue, id] = childOfRecordId(recordId);
    const end = this.#byId.get(parentId)?.children?.find({ queue, id })?.ending;
    const key = { of: 'child', queue: this.#queue, id: recordId } as const;
    if (end !== undefined) this.#payloads.keepValue(key, end);
  }

  #keepLogPiece(recordId: string): void {
    const [jobId, number] = numberOfRecordId(recordId);
    const piece = this.#byId.get(jobId)?.log?.piece(number);
    const key = { of: 'log-piece', queue: this.#queue, id: recordId } as const;
    if (piece !== undefined) this.#payloads.keepValue(key, piece);
  }

  #forgetReturned({ children }: StoredJob): void {
    for (const { ending } of children?.known ?? []) {
      if (ending !== undefined) this.#payloads.forget(ending);
    }
  }

  /** Has a log that is in one record written in pieces. */
  #rewriteLog(job: StoredJob, lines: readonly string[]): void {
    const log = JobLog.of(lines);
    job.write({ log, hasOlderLog: false });
    this.#note(job.id);
    this.#changes.note('logs', job.id);
    for (const piece of log.pieces) this.#noteLogPiece(job, piece);
  }

  #noteLogPiece({ id }: StoredJob, { number }: LogPiece): void {
    this.#changes.note('log-piece', numberedRecordId(id, number));
  }

  #noteChild(
    parentId: string,
    child: JobAddress,
    ...ends: readonly (ChildEnd | undefined)[]
  ): void {
    const id = childRecordId(parentId, child);
    this.#changes.note('child', id);
    if (ends.some((end) => end?.isLong)) this.#changes.note('returned', id);
  }

  #note(id: string): void {
    if (this.#staged.isArriving(id)) return;
    this.#changes.note('job', id);
    if (this.#histories.isInline(id)) this.#changes.note('history', id);
  }

  #noteAll(job: StoredJob): void {
    this.#changes.note('job', job.id);
    this.#changes.note('payload', job.id);
    if (job.hasOlderLog) this.#changes.note('logs', job.id);
    for (const piece of job.log?.pieces ?? []) this.#noteLogPiece(job, piece);
    if (job.hasHistory) this.#changes.note('history', job.id);
    for (let number = 1; number <= job.lastStep; number += 1) {
      this.steps.remove(numberedRecordId(job.id, number));
    }
    for (const child of job.children?.known ?? []) {
      this.#noteChild(job.id, child, child.ending);
    }
  }
}

/** Whether its next call carries more of what its children returned than is in memory. */
function lacksReturned({ children, mustFail }: StoredJob): boolean {
  if (children === undefined || mustFail !== undefined) return false;
  return children.elsewhere(MOST_CHILDREN_BYTES).length > 0;
}

function checkedAt({ lock, acceptance }: StoredJob): number | undefined {
  if (acceptance === undefined || lock?.token !== acceptance.token) return undefined;
  return acceptance.foundUntil ?? acceptance.until;
}
