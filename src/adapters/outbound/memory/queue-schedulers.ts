import type { NewScheduler, StoredScheduler } from '../../../domain/scheduler.ts';
import { firstSlot, slotAfter, type Calendar } from '../../../domain/slots.ts';
import { without } from '../../../domain/without.ts';
import type { QueueJobs } from './queue-jobs.ts';
import { storedJob, type StoredJob } from './stored-job.ts';

interface KeptScheduler {
  readonly id: string;
  readonly scheduler: NewScheduler;
  readonly calendar: Calendar;
  /** Of the next job. */
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
    if (before !== undefined) this.#withdraw(before, now);
    if (slot === undefined) return;
    const scheduler = structuredClone({ ...given, repeat });
    const last = before?.last && { last: before.last };
    const kept = { id, scheduler, calendar, slot, count: 1, isOver: false, ...last };
    this.#kept.set(id, kept);
    this.#plan(kept, slot, now);
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
    if (this.#jobs.find(jobIdOf(kept))?.status === 'delayed') this.#withdraw(kept, now);
    return this.#kept.delete(id);
  }

  /** Whether the job is the next one of a scheduler. */
  isNext({ id, schedulerId = '' }: StoredJob): boolean {
    const kept = this.#kept.get(schedulerId);
    return kept !== undefined && !kept.isOver && jobIdOf(kept) === id;
  }

  /** Plans the job after this one, if it is the next one of a scheduler. */
  goOn(job: StoredJob, now: number): void {
    const kept = this.#kept.get(job.schedulerId ?? '');
    if (kept === undefined || !this.isNext(job)) return;
    const { repeat } = kept.scheduler;
    kept.last = { at: kept.slot, jobId: job.id };
    const { limit = Infinity } = repeat;
    const slot = slotAfter(repeat, kept.slot, now, kept.calendar);
    kept.isOver = slot === undefined || kept.count >= limit;
    if (slot === undefined || kept.isOver) return;
    kept.count += 1;
    this.#plan(kept, slot, now);
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

  /** Takes the next job away, if it did not start. */
  #withdraw(kept: KeptScheduler, now: number): void {
    const job = this.#jobs.find(jobIdOf(kept));
    if (job !== undefined && !kept.isOver) this.#jobs.remove(job, now);
  }

  #shown({ id, scheduler, slot, count, isOver, last }: KeptScheduler): StoredScheduler {
    const state = last && (this.#jobs.find(last.jobId)?.status ?? null);
    return structuredClone({
      id,
      ...scheduler,
      ...(!isOver && { planned: { slot, count } }),
      ...(last && state !== undefined && { last: { ...last, state } }),
    });
  }
}

/** As BullMQ names the jobs of schedulers. */
function jobIdOf({ id, slot }: KeptScheduler): string {
  return `repeat:${id}:${slot}`;
}
