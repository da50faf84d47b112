import type { EndingNotice } from '../../../../application/ports/job-endings-port.ts';
import type { JobGroup } from '../../../../domain/groups/job-group.ts';
import { endedState, type JobState } from '../../../../domain/jobs/job-status.ts';
import type {
  IndexedJob,
  JobHistory,
  JobRecord,
  Position,
} from '../../../../domain/records/job-record.ts';
import type { Json } from '../../../../domain/values/json.ts';
import { NO_HISTORY } from '../records/job-history.ts';
import type { Children } from './children.ts';
import type { JobLog } from './job-log.ts';
import { JobRun, type Run } from './job-run.ts';

/**
 * What clients gave a job and what its attempts left: read when it is claimed, shown or changed, and else
 * on a disk.
 */
export interface JobPayload {
  data: string;
  opts: string;
  history: Readonly<JobHistory>;
}

/** The fields that only few jobs have. They stay when such a job has ended. */
interface Ties extends Pick<
  IndexedJob,
  'lifo' | 'schedulerId' | 'parent' | 'isParent' | 'expiresAt' | 'lastStep' | 'goesAlone'
> {
  /** Undefined for a job that never waits for others. */
  readonly children: Children | undefined;
  readonly log: JobLog | undefined;
  /** Whether it has a log in one record, as earlier versions wrote it. */
  readonly hasOlderLog: boolean;
  /** Whether a record of its own has its history. */
  readonly hasHistory: boolean;
  /** Why it failed while its history was on a disk alone, until that is there, too. */
  readonly failedWith: string | undefined;
}

const NO_TIES: Ties = {
  lifo: false,
  schedulerId: undefined,
  parent: undefined,
  isParent: undefined,
  expiresAt: undefined,
  lastStep: 0,
  goesAlone: undefined,
  children: undefined,
  log: undefined,
  hasOlderLog: false,
  hasHistory: false,
  failedWith: undefined,
};

/** The fields that the store writes. */
type Written = Omit<JobRecord, 'id' | 'timestamp'> & Ties & JobPayload;

/** The order of a job that has no place. */
const NOWHERE = NaN;

/**
 * A job in memory. There may be millions of them, so what only few have is apart, and what steps do not need may be on
 * a disk (platform contract, section 15, "Size"): the payload, and of a job that has ended what it has from its run.
 * Only the store writes to it. A job is its own position.
 */
export class StoredJob extends JobRun implements JobRecord, Position {
  readonly id: string;
  name: string;
  readonly timestamp: number;
  status: JobState | undefined = undefined;
  rank = 0;
  order = NOWHERE;
  priority = 0;
  delay = 0;
  firstDelay = 0;
  group: JobGroup | undefined = undefined;
  groupPosition: Position | undefined = undefined;
  deduplicationId: string | undefined = undefined;
  finishedOn: number | undefined = undefined;
  #wasRedacted = false;
  #ties = NO_TIES;
  #payload: JobPayload | undefined;

  /** @param payload undefined while it is on a disk. */
  constructor(id: string, name: string, timestamp: number, payload?: JobPayload) {
    super();
    this.id = id;
    this.name = name;
    this.timestamp = timestamp;
    this.#payload = payload;
  }

  /** A job as a step made it. Its fields are spelled out since a loop over their names takes longer than the text. */
  static of(made: JobRecord): StoredJob {
    const { id, name, timestamp, data, opts } = made;
    const job = new StoredJob(id, name, timestamp, {
      data,
      opts,
      history: NO_HISTORY,
    });
    job.priority = made.priority;
    job.delay = made.delay;
    job.firstDelay = made.firstDelay;
    job.group = made.group;
    job.deduplicationId = made.deduplicationId;
    const { lifo, schedulerId, parent, isParent, expiresAt, goesAlone } = made;
    const tie = schedulerId ?? parent ?? isParent ?? expiresAt ?? goesAlone;
    if (lifo || tie !== undefined) {
      job.#ties = { ...NO_TIES, lifo, schedulerId, parent, isParent, expiresAt, goesAlone };
    }
    return job;
  }

  /** Whether all of it is in memory. */
  get isWhole(): boolean {
    return this.#payload !== undefined;
  }

  /** Whether what its record has is in memory: of a job that ended it is on a disk alone. */
  get hasRecord(): boolean {
    const hasEnded = endedState(this.status) !== undefined;
    return !hasEnded || this.isWhole || this.failedWith !== undefined;
  }

  /** Whether its values are gone. */
  get isRedacted(): boolean {
    return this.isWhole ? this.redactedOn !== undefined : this.#wasRedacted;
  }

  /** To be set while its run is on a disk. */
  set isRedacted(isRedacted: boolean) {
    this.#wasRedacted = isRedacted;
  }

  /** A place of its own: the job may move. */
  get place(): Position | undefined {
    return this.position && { rank: this.rank, order: this.order };
  }

  get position(): Position | undefined {
    return Number.isNaN(this.order) ? undefined : this;
  }

  set position(position: Position | undefined) {
    this.rank = position?.rank ?? 0;
    this.order = position?.order ?? NOWHERE;
  }

  /** Keeps what others need of it: the rest is on a disk. */
  shrink(): void {
    this.#payload = undefined;
    this.#tie('failedWith', undefined);
    if (endedState(this.status) === undefined || !this.hasRun) return;
    this.#wasRedacted = this.redactedOn !== undefined;
    this.groupPosition = undefined;
    this.forgetRun();
  }

  /** Takes back what was on a disk. @param run what a job that ended has from its run. */
  complete({ data, opts, history }: JobPayload, run: Partial<Run> = {}): void {
    this.#payload = { data, opts, history };
    this.restoreRun(run);
  }

  /** The same in a copy, which is no part of the store. */
  completed(payload: JobPayload, run?: Partial<Run>): StoredJob {
    const copy = Object.assign(new StoredJob(this.id, this.name, this.timestamp), this);
    copy.#ties = this.#ties;
    copy.shareRun(this);
    copy.complete(payload, run);
    return copy;
  }

  get #atHand(): JobPayload {
    if (this.#payload === undefined) throw new Error(`A part of job ${this.id} is not in memory`);
    return this.#payload;
  }

  /** Writes fields, each where it is kept. */
  write(changes: Partial<Written>): void {
    for (const name of Object.keys(changes) as (keyof Written)[]) {
      const value = changes[name];
      if (JobRun.isOfRun(name)) this.writeRun(name, value);
      else if (isOf(NO_TIES, name)) this.#tie(name, value);
      else if (isOf(NO_HISTORY, name)) this.#writeHistory(name, value);
      else {
        const owner: object = isPayload(name) ? this.#atHand : this;
        (owner as Record<string, unknown>)[name] = value;
      }
    }
  }

  #tie(name: keyof Ties, value: unknown): void {
    if (this.#ties[name] === value) return;
    if (this.#ties === NO_TIES) this.#ties = { ...NO_TIES };
    (this.#ties as unknown as Record<string, unknown>)[name] = value;
  }

  #writeHistory(name: keyof JobHistory, value: unknown): void {
    if (!this.isWhole && name === 'failedReason') this.#tie('failedWith', value);
    else if (this.history[name] !== value) {
      this.#atHand.history = { ...this.history, [name]: value };
    }
  }

  get data(): JobPayload['data'] {
    return this.#atHand.data;
  }

  get opts(): JobPayload['opts'] {
    return this.#atHand.opts;
  }

  get history(): JobPayload['history'] {
    return this.#atHand.history;
  }

  get progress(): JobHistory['progress'] {
    return this.history.progress;
  }

  get returnvalue(): JobHistory['returnvalue'] {
    return this.history.returnvalue;
  }

  get stacktrace(): JobHistory['stacktrace'] {
    return this.history.stacktrace;
  }

  get attempts(): JobHistory['attempts'] {
    return this.history.attempts;
  }

  get steps(): JobHistory['steps'] {
    return this.history.steps;
  }

  get failedReason(): JobHistory['failedReason'] {
    return this.history.failedReason;
  }

  get lifo(): Ties['lifo'] {
    return this.#ties.lifo;
  }

  get schedulerId(): Ties['schedulerId'] {
    return this.#ties.schedulerId;
  }

  get parent(): Ties['parent'] {
    return this.#ties.parent;
  }

  get isParent(): Ties['isParent'] {
    return this.#ties.isParent;
  }

  get expiresAt(): Ties['expiresAt'] {
    return this.#ties.expiresAt;
  }

  get lastStep(): Ties['lastStep'] {
    return this.#ties.lastStep;
  }

  get goesAlone(): Ties['goesAlone'] {
    return this.#ties.goesAlone;
  }

  get children(): Ties['children'] {
    return this.#ties.children;
  }

  get log(): Ties['log'] {
    return this.#ties.log;
  }

  get hasOlderLog(): Ties['hasOlderLog'] {
    return this.#ties.hasOlderLog;
  }

  get hasHistory(): Ties['hasHistory'] {
    return this.#ties.hasHistory;
  }

  get failedWith(): Ties['failedWith'] {
    return this.#ties.failedWith;
  }
}

function isOf<Fields extends object>(fields: Fields, name: string): name is keyof Fields & string {
  return name in fields;
}

function isPayload(name: string): boolean {
  return name === 'data' || name === 'opts' || name === 'history';
}

/** A job of the store, where steps and trees know only a part of its type. */
export function asStored(job: object): StoredJob {
  if (job instanceof StoredJob) return job;
  throw new Error('The job is not one of this store');
}

/** About how many bytes a job takes in an answer. */
export function shownBytes(job: JobRecord): number {
  const { name, data, opts, progress, returnvalue, failedReason = '', stacktrace } = job;
  const texts = [name, data, opts, progress, returnvalue, failedReason, ...(stacktrace ?? [])];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

export function endingOf({ status, returnvalue, failedReason = '' }: JobRecord): EndingNotice {
  return status === 'completed'
    ? { state: 'completed', returnvalue: JSON.parse(returnvalue) as Json }
    : { state: 'failed', failedReason };
}

/** How many characters the values take that may be long. */
export function sizeOf({ name, data, opts, progress, returnvalue }: JobRecord): number {
  return name.length + data.length + opts.length + progress.length + returnvalue.length;
}
