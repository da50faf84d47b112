import type { Child } from '../../../../domain/records/child-record.ts';
import type { JobChanges, JobRecord } from '../../../../domain/records/job-record.ts';
import { endedState, type EndedState } from '../../../../domain/jobs/job-status.ts';
import type { JobsState } from '../../../../domain/transitions/queue-state.ts';
import { AcceptedJobs } from './accepted-jobs.ts';
import { Children } from './children.ts';
import { EndedJob, isWhole, type KnownJob } from './ended-job.ts';
import { ExpiringJobs } from './expiring-jobs.ts';
import { FailedJobs } from './failed-jobs.ts';
import { JobLists } from './job-lists.ts';
import { childRecordId } from '../records/job-record.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import type { StagedPayloads } from './staged-payloads.ts';
import type { StoredJob } from './stored-job.ts';
import { UnredactedJobs } from './unredacted-jobs.ts';
import { UnstartedByAge } from './unstarted-by-age.ts';

/** The jobs of one queue, in the lists of their states. Transitions move them; nothing is decided here. */
export class StoredJobs implements JobsState {
  readonly #byId = new Map<string, KnownJob>();
  readonly #lists: JobLists;
  readonly in: JobLists['of'];
  /** The lists, for reading. */
  readonly listed: Omit<JobLists, 'of'>;
  readonly failedByClaims: FailedJobs;
  readonly #expiring = new ExpiringJobs();
  /** Those that were put back; some may have moved since, or another job started. */
  readonly #returned = new Set<StoredJob>();
  readonly #accepted = new AcceptedJobs();
  readonly #redaction = { completed: new UnredactedJobs(), failed: new UnredactedJobs() };
  readonly #unstarted: UnstartedByAge;
  readonly #changes: ChangesOfQueue;
  readonly #starts: () => number;
  readonly #staged: Pick<StagedPayloads, 'holds'>;

  /** @param starts returns how many jobs of the queue were taken so far. */
  constructor(
    changes: ChangesOfQueue,
    starts: () => number,
    staged: Pick<StagedPayloads, 'holds'>,
  ) {
    this.#changes = changes;
    this.#starts = starts;
    this.#staged = staged;
    this.#lists = new JobLists((job) => {
      changes.note('job', job.id);
    });
    this.in = this.#lists.of;
    this.#unstarted = new UnstartedByAge(this.in, (id) => this.#byId.get(id));
    this.listed = this.#lists;
    this.failedByClaims = new FailedJobs(() => {
      changes.note('queue', '');
    });
  }

  find(id: string): KnownJob | undefined {
    return this.#byId.get(id);
  }

  /** @throws Error for a job that ended of which a part is on a disk: `withWhole` has to bring it back before. */
  whole(job: KnownJob): StoredJob {
    if (!isWhole(job)) throw new Error('A part of the job is not in memory');
    return job;
  }

  /** Keeps of a job that ended what others need of it: what is not in memory any more is on a disk. */
  shrink(id: string): void {
    const job = this.#byId.get(id);
    const status = job && endedState(job.status);
    if (job === undefined || status === undefined || !isWhole(job)) return;
    this.#replace(job, new EndedJob(job, status, job.logs.length > 0));
  }

  /** Takes back what was not in memory of a job that ended, unless that job is gone. */
  complete(job: EndedJob, record: JobRecord, logs: readonly string[]): void {
    if (this.#byId.get(job.id) !== job) return;
    this.#replace(job, Object.assign(record, { logs: [...logs], children: job.children }));
  }

  insert(record: JobRecord, children: readonly Child[] = []): StoredJob {
    const stored = this.#withParts(record);
    for (const child of children) stored.children?.add(child);
    this.#byId.set(stored.id, stored);
    this.#expiring.add(stored);
    this.#unstarted.add(stored.id);
    this.#changes.note('job', stored.id);
    if (!this.#staged.holds(stored)) this.#changes.note('payload', stored.id);
    for (const child of children) this.#noteChild(stored.id, child);
    return stored;
  }

  write(job: StoredJob, changes: JobChanges): void {
    if ('expiresAt' in changes) this.#expiring.remove(job);
    const concernsAcceptance = 'acceptance' in changes || 'lock' in changes;
    if (concernsAcceptance) this.#accepted.remove(job);
    Object.assign(job, changes);
    if (concernsAcceptance) this.#accepted.add(job);
    this.#changes.note('job', job.id);
    if (changes.data !== undefined || changes.opts !== undefined) {
      this.#changes.note('payload', job.id);
    }
    if (changes.returned !== undefined) this.#returned.add(job);
  }

  remove(job: KnownJob): void {
    if (isWhole(job)) {
      this.#expiring.remove(job);
      this.#accepted.remove(job);
    }
    this.#byId.delete(job.id);
    this.#unstarted.remove(job.id);
    this.#noteAll(job);
  }

  oldestUnstarted(): StoredJob | undefined {
    return this.#unstarted.oldest();
  }

  oldestEnded(status: EndedState): KnownJob | undefined {
    return this.#lists.oldest(status);
  }

  endedBy(status: EndedState, time: number, most: number): readonly KnownJob[] {
    return this.#lists.finishedBy(status, time).slice(-most);
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

  childrenOf({ children }: KnownJob): Children | undefined {
    return children;
  }

  addLog(job: StoredJob, line: string, most: number): void {
    job.logs.push(line);
    if (job.logs.length > most) job.logs.shift();
    this.#changes.note('logs', job.id);
  }

  clearLog(job: StoredJob): void {
    job.logs.length = 0;
    this.#changes.note('logs', job.id);
  }

  /** Those before the first one that it found last are not looked at again: jobs end one behind the other. */
  unredacted(status: EndedState, most: number): readonly KnownJob[] {
    return this.#redaction[status].next(this.in[status], most);
  }

  /** All jobs, in the order in which they are removed with the queue. */
  get inOrderOfRemoval(): readonly KnownJob[] {
    return this.#lists.inOrderOfRemoval;
  }

  /** Notes all records of all jobs, as the queue goes. */
  noteAll(): void {
    for (const job of this.#byId.values()) this.#noteAll(job);
  }

  /** Puts a job where it was when its record was written. @returns it. */
  restore(record: JobRecord): StoredJob {
    const job = this.#withParts(record);
    this.#byId.set(job.id, job);
    this.#expiring.add(job);
    this.#accepted.add(job);
    if (job.returned !== undefined) this.#returned.add(job);
    if (job.status !== undefined && job.position !== undefined) {
      this.in[job.status].restore(job, job.position);
    }
    return job;
  }

  /**
   * Takes a job as another replica wrote it; undefined when it is gone. What has records of its own stays as it is here.
   *
   * @returns the job.
   */
  replace(id: string, record: JobRecord | undefined): StoredJob | undefined {
    const before = this.#byId.get(id);
    if (before !== undefined) this.#takeOut(before);
    if (record === undefined) {
      this.#unstarted.remove(id);
      return undefined;
    }
    if (before === undefined) this.#unstarted.add(id);
    const job = this.restore(record);
    if (before === undefined) return job;
    const { children } = before;
    if (!isWhole(before)) return Object.assign(job, children && { children });
    const { name, data, opts, logs } = before;
    return Object.assign(job, { name, data, opts, logs }, children && { children });
  }

  /** The same for a job that ended, of which only a part is in memory from the start. */
  restoreEnded(record: JobRecord, status: EndedState): void {
    const job = new EndedJob(this.#withParts({ ...record, name: '' }), status, false);
    this.#byId.set(job.id, job);
    this.in[status].restore(job, job.position);
  }

  #takeOut(job: KnownJob): void {
    this.#byId.delete(job.id);
    if (isWhole(job)) {
      this.#expiring.remove(job);
      this.#accepted.remove(job);
      this.#returned.delete(job);
    }
    if (job.status !== undefined) this.in[job.status].remove(job);
  }

  #replace(before: KnownJob, job: KnownJob): void {
    const status = endedState(before.status);
    if (status === undefined) return;
    this.in[status].replace(before, job);
    this.#byId.set(job.id, job);
  }

  #withParts(record: JobRecord): StoredJob {
    const { id, isParent } = record;
    const noteChild = (child: Child): void => {
      this.#noteChild(id, child);
    };
    const children = isParent === true ? new Children(noteChild) : undefined;
    return Object.assign(record, { logs: [], children });
  }

  #noteChild(parentId: string, child: Child): void {
    this.#changes.note('child', childRecordId(parentId, child));
  }

  #noteAll(job: KnownJob): void {
    this.#changes.note('job', job.id);
    this.#changes.note('payload', job.id);
    if (isWhole(job) ? job.logs.length > 0 : job.hasLogs) this.#changes.note('logs', job.id);
    for (const child of job.children?.known ?? []) this.#noteChild(job.id, child);
  }
}
