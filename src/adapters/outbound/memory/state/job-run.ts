import type { IndexedJob } from '../../../../domain/records/job-record.ts';

/** The fields of a job that has started, as they are before. */
const NOT_RUN = {
  attemptsStarted: 0,
  attemptsMade: 0,
  processedOn: undefined,
  processedBy: undefined,
  lock: undefined,
  acceptance: undefined,
  limits: undefined,
  suspect: false,
  stalledCount: 0,
  returned: undefined,
  mustFail: undefined,
  deferrals: 0,
  suspensions: 0,
  suspension: undefined,
  half: undefined,
  calledBack: undefined,
  redactedOn: undefined,
} satisfies Partial<IndexedJob>;

export type Run = Pick<IndexedJob, keyof typeof NOT_RUN>;

const NAMES = Object.keys(NOT_RUN) as (keyof Run)[];

/**
 * The fields of a job that its run changes. Most waiting jobs have not run, so they share one object with defaults. The
 * accessors are written out: generated ones take ten times as long.
 */
export class JobRun implements Run {
  #fields: Readonly<Run> = NOT_RUN;

  /** Takes what was written. */
  restoreRun(written: Partial<Run>): void {
    for (const name of NAMES) {
      const value = written[name];
      if (value !== undefined) this.writeRun(name, value);
    }
  }

  protected static isOfRun(name: string): name is keyof Run {
    return name in NOT_RUN;
  }

  protected writeRun(name: keyof Run, value: unknown): void {
    if (this.#fields[name] === value) return;
    if (this.#fields === NOT_RUN) this.#fields = { ...NOT_RUN };
    (this.#fields as Record<string, unknown>)[name] = value;
  }

  /** Whether anything of it is in memory. */
  get hasRun(): boolean {
    return this.#fields !== NOT_RUN;
  }

  /** To be called for a job that ended and has all of it on a disk. */
  protected forgetRun(): void {
    this.#fields = NOT_RUN;
  }

  protected shareRun(other: JobRun): void {
    this.#fields = other.#fields === NOT_RUN ? NOT_RUN : { ...other.#fields };
  }

  get attemptsStarted(): Run['attemptsStarted'] {
    return this.#fields.attemptsStarted;
  }

  get attemptsMade(): Run['attemptsMade'] {
    return this.#fields.attemptsMade;
  }

  get processedOn(): Run['processedOn'] {
    return this.#fields.processedOn;
  }

  get processedBy(): Run['processedBy'] {
    return this.#fields.processedBy;
  }

  get lock(): Run['lock'] {
    return this.#fields.lock;
  }

  get acceptance(): Run['acceptance'] {
    return this.#fields.acceptance;
  }

  get limits(): Run['limits'] {
    return this.#fields.limits;
  }

  get suspect(): Run['suspect'] {
    return this.#fields.suspect;
  }

  get stalledCount(): Run['stalledCount'] {
    return this.#fields.stalledCount;
  }

  get returned(): Run['returned'] {
    return this.#fields.returned;
  }

  get mustFail(): Run['mustFail'] {
    return this.#fields.mustFail;
  }

  get deferrals(): Run['deferrals'] {
    return this.#fields.deferrals;
  }

  get suspensions(): Run['suspensions'] {
    return this.#fields.suspensions;
  }

  get suspension(): Run['suspension'] {
    return this.#fields.suspension;
  }

  get half(): Run['half'] {
    return this.#fields.half;
  }

  get calledBack(): Run['calledBack'] {
    return this.#fields.calledBack;
  }

  get redactedOn(): Run['redactedOn'] {
    return this.#fields.redactedOn;
  }
}
