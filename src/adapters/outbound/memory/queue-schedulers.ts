import type { NewScheduler, StoredScheduler } from '../../../domain/scheduler.ts';
import { firstSlot, resumedSlot, slotAfter, type Calendar } from '../../../domain/slots.ts';
import { without } from '../../../domain/without.ts';
import type { QueueJobs } from './queue-jobs.ts';
import { storedJob, type StoredJob } from './stored-job.ts';

interface KeptScheduler {
  readonly id: string;
  readonly scheduler: Omit<NewScheduler, 'paused'>;
  readonly calendar: Calendar;
  isPaused: boolean;
  /** Of the next job, which there is none of while it is paused. */
  slot: number;
  count: number;
  isOver: boolean;
  last?: { readonly at: number; readonly jobId: string };
}

/** The schedulers of one queue. Each has its next job planned, and that plans the one after when it starts. */
export class QueueSchedulers {
  readonly #jobs: QueueJobs;
  readonly #kept = new Map<string, KeptScheduler>();

  constructor(jobs: QueueJobs) {
    this.#jobs = jobs;
  }

  get size(): number {
    return this.#kept.size;
  }

  save(id: string, given: NewScheduler, calendar: Calendar, now: number): void {
    const repeat = without(given.repeat, 'immediately');
    const slot = firstSlot(given.repeat, now, calendar);
    const before = this.#kept.get(id);
    const { paused: isPaused, job } = given;
    if (before !== undefined) this.#withdraw(before, now, isPaused);
    if (slot === undefined) return;
    const scheduler = structuredClone({ repeat, job });
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

  /** In the order of their slots. */
  all(): readonly StoredScheduler[] {
    const all = [...this.#kept.values()].sort((one, other) => one.slot - other.slot);
    return all.map((kept) => this.#shown(kept));
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

  /** Plans the job after this one, if it is the next one of a scheduler. */
  goOn(job: StoredJob, now: number): void {
    const kept = this.#kept.get(job.schedulerId ?? '');
    if (kept === undefined) return;
    const at = slotOf(job);
    // That of a scheduler that was paused meanwhile is not the next one.
    if (kept.last === undefined || at > kept.last.at) kept.last = { at, jobId: job.id };
    if (!this.isNext(job)) return;
    this.#moveOn(kept, now);
    if (!kept.isOver) this.#plan(kept, kept.slot, now);
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
      if (this.#jobs.find(jobId) === undefined) {
        const opts = { ...job.opts, jobId, delay: Math.max(0, slot - now), repeat };
        const stored = storedJob(jobId, { ...job, opts: { attempts: 0, ...opts } }, now);
        this.#jobs.insert({ ...stored, schedulerId: kept.id }, now);
        return;
      }
      slot = slotAfter(repeat, slot, now, kept.calendar);
    }
    kept.isOver = true;
  }

  /** Takes the next job away, if there is one that did not start; or only if it is delayed. */
  #withdraw(kept: KeptScheduler, now: number, ifDelayed: boolean): boolean {
    const job = hasNext(kept) ? this.#jobs.find(jobIdOf(kept)) : undefined;
    if (job === undefined || (ifDelayed && job.status !== 'delayed')) return false;
    this.#jobs.remove(job, now);
    if (ifDelayed) this.#jobs.events.record('removed', job.id);
    return true;
  }

  #shown({ id, scheduler, isPaused, slot, count, isOver, last }: KeptScheduler): StoredScheduler {
    const state = last && (this.#jobs.find(last.jobId)?.status ?? null);
    return structuredClone({
      id,
      ...scheduler,
      paused: isPaused,
      ...(!isOver && { planned: { slot, count } }),
      ...(last && state !== undefined && { last: { ...last, state } }),
    });
  }
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
