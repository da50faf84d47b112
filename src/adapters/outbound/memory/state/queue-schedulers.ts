import { tooManySchedulers } from '../../../../domain/errors.ts';
import type { NewScheduler, StoredScheduler } from '../../../../domain/schedulers/scheduler.ts';
import {
  replacingSlot,
  resumedSlot,
  slotAfter,
  type Calendar,
  type Standing,
} from '../../../../domain/schedulers/slots.ts';
import { without } from '../../../../domain/values/without.ts';
import type { QueueJobs } from './queue-jobs.ts';
import { storedJob, type StoredJob } from './stored-job.ts';

interface KeptScheduler {
  readonly id: string;
  readonly scheduler: Omit<NewScheduler, 'paused'>;
  readonly calendar: Calendar;
  isPaused: boolean;
  /** The next job; undefined while the scheduler is paused. */
  slot: number;
  count: number;
  isOver: boolean;
  last?: LastStarted;
}

interface LastStarted {
  readonly at: number;
  readonly jobId: string;
  endedAt?: number;
}

/** The schedulers of one queue. Each has its next job planned; the start of that job plans the one after. */
export class QueueSchedulers {
  readonly #jobs: QueueJobs;
  readonly #kept = new Map<string, KeptScheduler>();

  constructor(jobs: QueueJobs) {
    this.#jobs = jobs;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** @throws DomainError `too-many-schedulers` when a new one would be one too many. */
  checkRoom(id: string, most: number): void {
    if (this.#kept.size >= most && !this.#kept.has(id)) throw tooManySchedulers(most);
  }

  save(id: string, given: NewScheduler, calendar: Calendar, now: number): void {
    const repeat = without(given.repeat, 'immediately');
    const before = this.#kept.get(id);
    const slot = replacingSlot(given.repeat, before && standing(before), now, calendar);
    if (slot === undefined) return;
    const { paused: isPaused, job, overlap } = given;
    if (before !== undefined) this.#withdraw(before, now, isPaused);
    const scheduler = structuredClone({ repeat, job, overlap });
    const last = before?.last && { last: before.last };
    const kept = { id, scheduler, calendar, isPaused, slot, count: 1, isOver: false, ...last };
    this.#kept.set(id, kept);
    if (!isPaused) this.#plan(kept, slot, now);
  }

  pause(id: string, now: number): boolean {
    const kept = this.#kept.get(id);
    if (kept === undefined) return false;
    if (!kept.isPaused && !this.#withdraw(kept, now, true)) this.#moveOn(kept, now);
    kept.isPaused = true;
    return true;
  }

  resume(id: string, now: number): boolean {
    const kept = this.#kept.get(id);
    if (kept?.isPaused !== true) return kept !== undefined;
    kept.isPaused = false;
    if (kept.isOver) return true;
    const slot = resumedSlot(kept.scheduler.repeat, kept.slot, now, kept.calendar);
    if (slot === undefined) kept.isOver = true;
    else this.#plan(kept, slot, now);
    return true;
  }

  find(id: string): StoredScheduler | undefined {
    const kept = this.#kept.get(id);
    return kept && this.#shown(kept);
  }

  /** The schedulers in the order of their slots. */
  ids(): readonly string[] {
    const all = [...this.#kept.values()].sort((one, other) => one.slot - other.slot);
    return all.map(({ id }) => id);
  }

  remove(id: string, now: number): boolean {
    const kept = this.#kept.get(id);
    if (kept === undefined) return false;
    this.#withdraw(kept, now, true);
    return this.#kept.delete(id);
  }

  /** Whether the job is the next one of a scheduler. */
  isNext({ id, schedulerId = '' }: StoredJob): boolean {
    const kept = this.#kept.get(schedulerId);
    return kept !== undefined && hasNext(kept) && jobIdOf(kept) === id;
  }

  /** Notes that the job started, and plans the one after it. */
  started(job: StoredJob, now: number): void {
    const kept = this.#kept.get(job.schedulerId ?? '');
    if (kept === undefined) return;
    if (this.#isNewTo(kept, job)) kept.last = { at: slotOf(job), jobId: job.id };
    this.goOn(job, now);
  }

  /** Plans the job after this one, if it is the next one of a scheduler. */
  goOn(job: StoredJob, now: number): void {
    const kept = this.#kept.get(job.schedulerId ?? '');
    if (kept === undefined || !this.isNext(job)) return;
    this.#moveOn(kept, now);
    if (!kept.isOver) this.#plan(kept, kept.slot, now);
  }

  /**
   * Removes the job and plans that of the slot after its own, if its scheduler skips slots and the job before it had
   * not ended when its slot came. @returns whether it did.
   */
  skip(job: StoredJob, now: number): boolean {
    const kept = this.#kept.get(job.schedulerId ?? '');
    if (kept === undefined || !this.#overlaps(kept, job)) return false;
    const isNext = this.isNext(job);
    this.#take(job, now);
    if (!isNext) return true;
    const slot = slotAfter(kept.scheduler.repeat, kept.slot, now, kept.calendar);
    if (slot === undefined) kept.isOver = true;
    else this.#plan(kept, slot, now);
    return true;
  }

  /** Notes that a job ended. */
  ended({ id, schedulerId = '', finishedOn }: StoredJob): void {
    const last = this.#kept.get(schedulerId)?.last;
    if (last?.jobId === id && finishedOn !== undefined) last.endedAt = finishedOn;
  }

  #overlaps(kept: KeptScheduler, job: StoredJob): boolean {
    const { last, scheduler } = kept;
    if (scheduler.overlap !== 'skip' || last === undefined || !this.#isNewTo(kept, job)) {
      return false;
    }
    const before = this.#jobs.find(last.jobId);
    if (before !== undefined && !hasEnded(before)) return true;
    return last.endedAt !== undefined && last.endedAt > slotOf(job);
  }

  /** Whether the job never started. That of a scheduler that was paused meanwhile is not the next one. */
  #isNewTo({ last }: KeptScheduler, job: StoredJob): boolean {
    if (last === undefined) return true;
    return last.jobId !== job.id && (this.isNext(job) || slotOf(job) > last.at);
  }

  #moveOn(kept: KeptScheduler, now: number): void {
    const { repeat } = kept.scheduler;
    const { limit = Infinity } = repeat;
    const slot = slotAfter(repeat, kept.slot, now, kept.calendar);
    kept.isOver = kept.isOver || slot === undefined || kept.count >= limit;
    if (slot === undefined || kept.isOver) return;
    kept.slot = slot;
    kept.count += 1;
  }

  #plan(kept: KeptScheduler, from: number, now: number): void {
    const { repeat, job } = kept.scheduler;
    for (let slot: number | undefined = from; slot !== undefined;) {
      kept.slot = slot;
      const jobId = jobIdOf(kept);
      if (this.#jobs.find(jobId) === undefined && kept.last?.jobId !== jobId) {
        const opts = { ...job.opts, jobId, delay: Math.max(0, slot - now), repeat };
        const stored = storedJob(jobId, { ...job, opts: { attempts: 0, ...opts } }, now);
        this.#jobs.insert({ ...stored, schedulerId: kept.id }, now);
        return;
      }
      slot = slotAfter(repeat, slot, now, kept.calendar);
    }
    kept.isOver = true;
  }

  /** Removes the next job if it has not started, or only if it is delayed. */
  #withdraw(kept: KeptScheduler, now: number, ifDelayed: boolean): boolean {
    const job = hasNext(kept) ? this.#jobs.find(jobIdOf(kept)) : undefined;
    if (job === undefined || (ifDelayed && job.status !== 'delayed')) return false;
    this.#take(job, now);
    return true;
  }

  #take(job: StoredJob, now: number): void {
    this.#jobs.remove(job, now);
    this.#jobs.events.record('removed', job.id);
  }

  #shown({ id, scheduler, isPaused, slot, count, isOver, last }: KeptScheduler): StoredScheduler {
    const state = last && (this.#jobs.find(last.jobId)?.status ?? null);
    return structuredClone({
      id,
      ...scheduler,
      paused: isPaused,
      ...(!isOver && { planned: { slot, count } }),
      ...(last && state !== undefined && { last: { at: last.at, jobId: last.jobId, state } }),
    });
  }
}

function standing({ isPaused, isOver, slot, scheduler, last }: KeptScheduler): Standing {
  return { repeat: scheduler.repeat, slot, hasStarted: isOver, isPaused, lastSlot: last?.at };
}

function hasEnded({ status }: StoredJob): boolean {
  return status === 'completed' || status === 'failed';
}

function hasNext({ isOver, isPaused }: KeptScheduler): boolean {
  return !isOver && !isPaused;
}

/** The slot that a job was made for, by its id. */
function slotOf({ id }: StoredJob): number {
  return Number(id.slice(id.lastIndexOf(':') + 1));
}

/** As BullMQ names the jobs of schedulers. */
function jobIdOf({ id, slot }: KeptScheduler): string {
  return `repeat:${id}:${slot}`;
}
