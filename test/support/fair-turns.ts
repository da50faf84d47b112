interface ModelGroup {
  readonly id: string;
  readonly jobs: { readonly id: string; readonly cost: number }[];
  weight: number;
  running: number;
  isPaused: boolean;
  time: number;
  /** When it became ready, as a number that grows; undefined while it is not. */
  ready: number | undefined;
}

/** Start-time fair queuing as the contract has it, without any thought of speed (platform contract, section 13). */
export class FairTurns {
  readonly #groups = new Map<string, ModelGroup>();
  readonly #runs = new Map<string, ModelGroup>();
  readonly #concurrency: number;
  #time = 0;
  #count = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  weigh(id: string, weight: number): void {
    this.#group(id).weight = weight;
  }

  add(id: string, job: string, cost: number): void {
    const group = this.#group(id);
    this.#forget();
    group.jobs.push({ id: job, cost });
    if (group.jobs.length === 1) this.#beReady(group);
  }

  pause(id: string, isPaused: boolean): void {
    const group = this.#group(id);
    group.isPaused = isPaused;
    this.#beReady(group);
  }

  /** The job that starts; undefined when none may. */
  start(): string | undefined {
    for (;;) {
      const [group] = [...this.#groups.values()]
        .filter(({ ready }) => ready !== undefined)
        .sort((one, other) => one.time - other.time || (one.ready ?? 0) - (other.ready ?? 0));
      if (group === undefined) break;
      const isAtLimit = group.isPaused || group.running >= this.#concurrency;
      const job = isAtLimit ? undefined : group.jobs.shift();
      if (job === undefined) {
        group.ready = undefined;
        continue;
      }
      this.#time = group.time;
      group.time += job.cost / group.weight;
      group.ready = this.#next();
      group.running += 1;
      this.#runs.set(job.id, group);
      return job.id;
    }
    return undefined;
  }

  end(job: string): void {
    const group = this.#runs.get(job);
    this.#runs.delete(job);
    if (group === undefined) return;
    group.running -= 1;
    this.#beReady(group);
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
      time: 0,
      ready: undefined,
    };
    this.#groups.set(id, group);
    return group;
  }
}
