import type { Limiter } from '../../src/domain/queues/limiter.ts';

interface ModelJob {
  readonly id: string;
  readonly cost: number;
  /** When it fell due (ms), which is before all others; Infinity for one that did not. */
  readonly dueAt: number;
  /** Its place among those that did not. */
  readonly order: number;
}

interface ModelGroup {
  readonly id: string;
  readonly jobs: ModelJob[];
  weight: number;
  running: number;
  isPaused: boolean;
  /** When its jobs started (ms). */
  readonly starts: number[];
  /** Until when (ms) its limiter lets none start, since that was found in its turn. */
  limitedUntil: number | undefined;
  time: number;
  /** When it became ready, as a number that grows; undefined while it is not. */
  ready: number | undefined;
}

/** Start-time fair queuing as the contract has it, without any thought of speed (platform contract, section 13). */
export class FairTurns {
  readonly #groups = new Map<string, ModelGroup>();
  readonly #runs = new Map<string, { readonly group: ModelGroup; readonly job: ModelJob }>();
  readonly #limits: { readonly concurrency: number; readonly limiter: Limiter };
  #delayed: { readonly group: ModelGroup; readonly job: ModelJob }[] = [];
  #now = 0;
  #time = 0;
  #count = 0;

  /** @param limits those of each group. */
  constructor(limits: { readonly concurrency: number; readonly limiter: Limiter }) {
    this.#limits = limits;
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  weigh(id: string, weight: number): void {
    this.#group(id).weight = weight;
  }

  add(id: string, job: string, cost: number, delay = 0): void {
    const dueAt = delay > 0 ? this.#now + delay : Infinity;
    this.#put(this.#group(id), { id: job, cost, dueAt, order: this.#next() }, delay > 0);
  }

  pause(id: string, isPaused: boolean): void {
    const group = this.#group(id);
    group.isPaused = isPaused;
    this.#beReady(group);
  }

  /** The job that starts; undefined when none may. */
  start(): string | undefined {
    this.#letTimePass();
    for (;;) {
      const [group] = [...this.#groups.values()]
        .filter(({ ready }) => ready !== undefined)
        .sort((one, other) => one.time - other.time || (one.ready ?? 0) - (other.ready ?? 0));
      if (group === undefined) break;
      const isAtLimit = group.isPaused || group.running >= this.#limits.concurrency;
      const limitedUntil = isAtLimit ? undefined : this.#limitedUntil(group);
      const job = isAtLimit || limitedUntil !== undefined ? undefined : group.jobs.shift();
      if (job === undefined) {
        group.ready = undefined;
        group.limitedUntil = limitedUntil;
        continue;
      }
      group.starts.push(this.#now);
      this.#time = group.time;
      group.time += job.cost / group.weight;
      group.ready = group.jobs.length > 0 ? this.#next() : undefined;
      group.running += 1;
      this.#runs.set(job.id, { group, job });
      return job.id;
    }
    return undefined;
  }

  /** @param again the delay (ms) of a retry, which keeps its place without one; undefined when the job has ended. */
  end(id: string, again?: number): void {
    const run = this.#runs.get(id);
    if (run === undefined) throw new Error(`Job ${id} does not run`);
    const { group, job } = run;
    group.running -= 1;
    this.#beReady(group);
    if (again === 0) this.#put(group, job, false);
    else if (again !== undefined) this.#put(group, { ...job, dueAt: this.#now + again }, true);
    this.#runs.delete(id);
  }

  #put(group: ModelGroup, job: ModelJob, isDelayed: boolean): void {
    if (isDelayed) {
      this.#delayed.push({ group, job });
      return;
    }
    this.#forget();
    group.jobs.push(job);
    group.jobs.sort((one, other) => byTime(one, other) || one.order - other.order);
    if (group.jobs.length === 1) this.#beReady(group);
  }

  /** Groups whose jobs fell due are looked at again, and after them those whose limiter lets another job start. */
  #letTimePass(): void {
    const due = this.#delayed
      .filter(({ job }) => job.dueAt <= this.#now)
      .sort((one, other) => byTime(one.job, other.job));
    this.#delayed = this.#delayed.filter(({ job }) => job.dueAt > this.#now);
    for (const { group, job } of due) {
      this.#put(group, job, false);
      this.#beReady(group);
    }
    const limited = [...this.#groups.values()]
      .filter(({ limitedUntil = Infinity }) => limitedUntil <= this.#now)
      .sort((one, other) => (one.limitedUntil ?? 0) - (other.limitedUntil ?? 0));
    for (const group of limited) this.#beReady(group);
  }

  #limitedUntil({ starts }: ModelGroup): number | undefined {
    const { max, duration } = this.#limits.limiter;
    const earliest = starts.at(-max);
    return earliest !== undefined && earliest + duration > this.#now
      ? earliest + duration
      : undefined;
  }

  /** When nothing waits and nothing runs, all begin anew. */
  #forget(): void {
    const groups = [...this.#groups.values()];
    if (this.#runs.size > 0 || groups.some(({ jobs }) => jobs.length > 0)) return;
    this.#time = 0;
    for (const group of groups) {
      group.time = 0;
      group.ready = undefined;
    }
  }

  #beReady(group: ModelGroup): void {
    group.limitedUntil = undefined;
    if (group.ready !== undefined || group.jobs.length === 0) return;
    group.time = Math.max(group.time, this.#time);
    group.ready = this.#next();
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  #group(id: string): ModelGroup {
    const known = this.#groups.get(id);
    if (known !== undefined) return known;
    const group: ModelGroup = {
      id,
      jobs: [],
      weight: 1,
      running: 0,
      isPaused: false,
      starts: [],
      limitedUntil: undefined,
      time: 0,
      ready: undefined,
    };
    this.#groups.set(id, group);
    return group;
  }
}

function byTime(one: ModelJob, other: ModelJob): number {
  return one.dueAt === other.dueAt ? 0 : one.dueAt - other.dueAt;
}
