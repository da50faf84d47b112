import { tooManySchedulers } from '../../../../domain/errors.ts';
import type {
  NewScheduler,
  RunByHand,
  SchedulerTemplate,
  StoredScheduler,
} from '../../../../domain/schedulers/scheduler.ts';
import {
  afterEnd,
  afterLeftOut,
  afterNextJob,
  afterResume,
  afterStart,
  hasNextJob,
  overlaps,
  standingOf,
  type SchedulerState,
  type SlotJob,
} from '../../../../domain/schedulers/slot.ts';
import { replacingSlot, type Calendar } from '../../../../domain/schedulers/slots.ts';
import { without } from '../../../../domain/values/without.ts';
import { byteOrder } from '../../../shared/byte-order.ts';
import type { QueueJobs } from './queue-jobs.ts';
import { endedStatus, type ListedJob } from './listed-job.ts';
import type { ChangesOfQueue } from './record-changes.ts';
import { storedJob, type StoredJob } from './stored-job.ts';

/** A scheduler as it is written. */
export interface SchedulerRecord {
  readonly job: SchedulerTemplate;
  readonly state: SchedulerState;
  readonly runByHand?: Omit<RunByHand, 'state'>;
}

interface KeptScheduler extends SchedulerRecord {
  readonly id: string;
  readonly calendar: Calendar;
  state: SchedulerState;
  runByHand?: Omit<RunByHand, 'state'>;
}

/** The schedulers of one queue. Each has one planned job; when that job starts, the one after it is planned. */
export class QueueSchedulers {
  readonly #jobs: QueueJobs;
  readonly #changes: ChangesOfQueue;
  readonly #kept = new Map<string, KeptScheduler>();

  constructor(jobs: QueueJobs, changes: ChangesOfQueue) {
    this.#jobs = jobs;
    this.#changes = changes;
  }

  record(id: string): SchedulerRecord | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined) return undefined;
    const { job, state, runByHand } = kept;
    return { job, state, ...(runByHand && { runByHand }) };
  }

  restore(id: string, record: SchedulerRecord, calendar: Calendar): void {
    this.#kept.set(id, { id, ...record, calendar });
  }

  /** The ids that have a record. */
  get recorded(): IterableIterator<string> {
    return this.#kept.keys();
  }

  get size(): number {
    return this.#kept.size;
  }

  /** @throws DomainError `too-many-schedulers` when a new one would be one too many. */
  checkRoom(id: string, most: number): void {
    if (this.#kept.size >= most && !this.#kept.has(id)) throw tooManySchedulers(most);
  }

  save(id: string, given: NewScheduler, calendar: Calendar, now: number): void {
    const before = this.#kept.get(id);
    const slot = replacingSlot(given.repeat, before && standingOf(before.state), now, calendar);
    if (slot === undefined) return;
    const { paused: isPaused, overlap } = given;
    if (before !== undefined) this.#withdraw(before, now, isPaused);
    const { repeat, job } = structuredClone({
      repeat: without(given.repeat, 'immediately'),
      job: given.job,
    });
    const last = before?.state.last && { last: before.state.last };
    const state = { repeat, overlap, isPaused, slot, count: 1, isOver: false, ...last };
    const runByHand = before?.runByHand;
    const kept = { id, job, calendar, state, ...(runByHand && { runByHand }) };
    this.#kept.set(id, kept);
    this.#changes.note('scheduler', id);
    if (!isPaused) this.#plan(kept, now);
  }

  pause(id: string, now: number): boolean {
    const kept = this.#kept.get(id);
    if (kept === undefined) return false;
    if (!kept.state.isPaused && !this.#withdraw(kept, now, true)) {
      this.#become(kept, afterNextJob(kept.state, now, kept.calendar));
    }
    this.#become(kept, { ...kept.state, isPaused: true });
    return true;
  }

  resume(id: string, now: number): boolean {
    const kept = this.#kept.get(id);
    if (kept?.state.isPaused !== true) return kept !== undefined;
    this.#become(kept, afterResume(kept.state, now, kept.calendar));
    this.#plan(kept, now);
    return true;
  }

  find(id: string): StoredScheduler | undefined {
    const kept = this.#kept.get(id);
    return kept && this.#shown(kept);
  }

  /** In the order of their next slots. Within a slot, paused ones come last; then ids decide, as in Redis. */
  ids(): readonly string[] {
    const all = [...this.#kept.values()].sort(
      ({ id, state }, other) =>
        state.slot - other.state.slot ||
        Number(state.isPaused) - Number(other.state.isPaused) ||
        byteOrder(id, other.id),
    );
    return all.map(({ id }) => id);
  }

  slots(): readonly { readonly id: string; readonly slot: number | undefined }[] {
    return [...this.#kept.values()].map(({ id, state: { slot, isPaused } }) => {
      return { id, slot: isPaused ? undefined : slot };
    });
  }

  noteRunByHand(id: string, run: Omit<RunByHand, 'state'>): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    kept.runByHand = run;
    this.#changes.note('scheduler', id);
  }

  remove(id: string, now: number): boolean {
    const kept = this.#kept.get(id);
    if (kept === undefined) return false;
    this.#withdraw(kept, now, true);
    this.#changes.note('scheduler', id);
    return this.#kept.delete(id);
  }

  /** Whether the job is the next one of a scheduler. */
  isNext({ id, schedulerId = '' }: ListedJob): boolean {
    const kept = this.#kept.get(schedulerId);
    return kept !== undefined && hasNextJob(kept.state) && nextJobIdOf(kept) === id;
  }

  /** Notes that the job started, and plans the one after it. */
  started(job: StoredJob, now: number): void {
    const kept = this.#kept.get(job.schedulerId ?? '');
    if (kept === undefined) return;
    this.#become(kept, afterStart(kept.state, this.#slotJob(job)));
    this.goOn(job, now);
  }

  /** Plans the job after this one, if it is the next one of a scheduler. */
  goOn(job: StoredJob, now: number): void {
    const kept = this.#kept.get(job.schedulerId ?? '');
    if (kept === undefined || !this.isNext(job)) return;
    this.#become(kept, afterNextJob(kept.state, now, kept.calendar));
    this.#plan(kept, now);
  }

  /**
   * Removes the job and plans that of the slot after its own, if its scheduler skips slots and the job before it was
   * still running when its slot came. @returns whether it did.
   */
  skip(job: StoredJob, now: number): boolean {
    const kept = this.#kept.get(job.schedulerId ?? '');
    if (kept === undefined) return false;
    const slotJob = this.#slotJob(job);
    if (!overlaps(kept.state, slotJob, this.#isAnotherOpen(kept, job))) return false;
    this.#take(job, now);
    if (!slotJob.isNext) return true;
    this.#become(kept, afterLeftOut(kept.state, now, kept.calendar));
    this.#plan(kept, now);
    return true;
  }

  /** Notes that a job ended. */
  ended({ id, schedulerId = '', finishedOn }: StoredJob): void {
    const kept = this.#kept.get(schedulerId);
    if (kept === undefined || finishedOn === undefined) return;
    this.#become(kept, afterEnd(kept.state, id, finishedOn));
  }

  #slotJob(job: StoredJob): SlotJob {
    return { jobId: job.id, slot: slotOf(job), isNext: this.isNext(job) };
  }

  /** Whether the last job has not ended, or one runs that a removed scheduler with the same id made after it. */
  #isAnotherOpen({ id, state: { last } }: KeptScheduler, job: StoredJob): boolean {
    const lastJob = last && this.#jobs.find(last.jobId);
    if (lastJob !== undefined && endedStatus(lastJob) === undefined) return true;
    return this.#jobs.listed
      .active()
      .some((each) => each !== job && each.schedulerId === id && slotOf(each) > (last?.at ?? 0));
  }

  #become(kept: KeptScheduler, state: SchedulerState): void {
    kept.state = state;
    this.#changes.note('scheduler', kept.id);
  }

  /** Adds the next job: that of the first slot, from the planned one on, that has no job yet. */
  #plan(kept: KeptScheduler, now: number): void {
    while (!kept.state.isOver) {
      const { state, job } = kept;
      const jobId = nextJobIdOf(kept);
      if (this.#jobs.find(jobId) !== undefined || state.last?.jobId === jobId) {
        this.#become(kept, afterLeftOut(state, now, kept.calendar));
        continue;
      }
      const { slot, repeat } = state;
      const opts = { ...job.opts, jobId, delay: Math.max(0, slot - now), repeat };
      const stored = storedJob(jobId, { ...job, opts: { attempts: 0, ...opts } }, now);
      this.#jobs.insert({ ...stored, schedulerId: kept.id }, now);
      return;
    }
  }

  /** Removes the next job if it has not started. @param ifDelayed whether to remove it only while it is delayed. */
  #withdraw(kept: KeptScheduler, now: number, ifDelayed: boolean): boolean {
    const job = hasNextJob(kept.state) ? this.#jobs.find(nextJobIdOf(kept)) : undefined;
    if (job === undefined || (ifDelayed && job.status !== 'delayed')) return false;
    this.#take(job, now);
    return true;
  }

  #take(job: ListedJob, now: number): void {
    this.#jobs.remove(job, now);
    this.#jobs.events.record('removed', job.id, undefined, job.group?.id);
  }

  #shown({ id, job, state, runByHand }: KeptScheduler): StoredScheduler {
    const { repeat, overlap, isPaused, slot, count, isOver, last } = state;
    return structuredClone({
      id,
      repeat,
      job,
      overlap,
      paused: isPaused,
      ...(!isOver && { planned: { slot, count } }),
      ...(last && { last: this.#withState(last) }),
      ...(runByHand && { lastRunByHand: this.#withState(runByHand) }),
    });
  }

  #withState({ at, jobId }: Omit<RunByHand, 'state'>): RunByHand {
    return { at, jobId, state: this.#jobs.find(jobId)?.status ?? null };
  }
}

/** The slot that a job was made for, by its id. */
function slotOf({ id }: StoredJob): number {
  return Number(id.slice(id.lastIndexOf(':') + 1));
}

/** As BullMQ names the jobs of schedulers. */
function nextJobIdOf({ id, state: { slot } }: KeptScheduler): string {
  return `repeat:${id}:${slot}`;
}
