import type { IndexedJob } from '../../../../domain/records/job-record.ts';

/** The fields of a job that has started, as they are before. */
const NOT_RUN = {
  attemptsStarted: 0,
  attemptsMade: 0,
  processedOn: undefined,
  processedBy: undefined,
  lock: undefined,
  acceptance: undefined,
  suspect: false,
  stalledCount: 0,
  returned: undefined,
  mustFail: undefined,
  deferrals: 0,
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
  #fields: { -readonly [Name in keyof Run]: Run[Name] } = NOT_RUN;

  get #own(): { -readonly [Name in keyof Run]: Run[Name] } {
    if (this.#fields === NOT_RUN) this.#fields = { ...NOT_RUN };
    return this.#fields;
  }

  /** Takes what was written. */
  restoreRun(written: Partial<Run>): void {
    for (const name of NAMES) {
      const value = written[name];
      if (value !== undefined) Object.assign(this.#own, { [name]: value });
    }
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

  set attemptsStarted(attemptsStarted: Run['attemptsStarted']) {
    if (this.#fields.attemptsStarted !== attemptsStarted)
      this.#own.attemptsStarted = attemptsStarted;
  }

  get attemptsMade(): Run['attemptsMade'] {
    return this.#fields.attemptsMade;
  }

  set attemptsMade(attemptsMade: Run['attemptsMade']) {
    if (this.#fields.attemptsMade !== attemptsMade) this.#own.attemptsMade = attemptsMade;
  }

  get processedOn(): Run['processedOn'] {
    return this.#fields.processedOn;
  }

  set processedOn(processedOn: Run['processedOn']) {
    if (this.#fields.processedOn !== processedOn) this.#own.processedOn = processedOn;
  }

  get processedBy(): Run['processedBy'] {
    return this.#fields.processedBy;
  }

  set processedBy(processedBy: Run['processedBy']) {
    if (this.#fields.processedBy !== processedBy) this.#own.processedBy = processedBy;
  }

  get lock(): Run['lock'] {
    return this.#fields.lock;
  }

  set lock(lock: Run['lock']) {
    if (this.#fields.lock !== lock) this.#own.lock = lock;
  }

  get acceptance(): Run['acceptance'] {
    return this.#fields.acceptance;
  }

  set acceptance(acceptance: Run['acceptance']) {
    if (this.#fields.acceptance !== acceptance) this.#own.acceptance = acceptance;
  }

  get suspect(): Run['suspect'] {
    return this.#fields.suspect;
  }

  set suspect(suspect: Run['suspect']) {
    if (this.#fields.suspect !== suspect) this.#own.suspect = suspect;
  }

  get stalledCount(): Run['stalledCount'] {
    return this.#fields.stalledCount;
  }

  set stalledCount(stalledCount: Run['stalledCount']) {
    if (this.#fields.stalledCount !== stalledCount) this.#own.stalledCount = stalledCount;
  }

  get returned(): Run['returned'] {
    return this.#fields.returned;
  }

  set returned(returned: Run['returned']) {
    if (this.#fields.returned !== returned) this.#own.returned = returned;
  }

  get mustFail(): Run['mustFail'] {
    return this.#fields.mustFail;
  }

  set mustFail(mustFail: Run['mustFail']) {
    if (this.#fields.mustFail !== mustFail) this.#own.mustFail = mustFail;
  }

  get deferrals(): Run['deferrals'] {
    return this.#fields.deferrals;
  }

  set deferrals(deferrals: Run['deferrals']) {
    if (this.#fields.deferrals !== deferrals) this.#own.deferrals = deferrals;
  }

  get half(): Run['half'] {
    return this.#fields.half;
  }

  set half(half: Run['half']) {
    if (this.#fields.half !== half) this.#own.half = half;
  }

  get calledBack(): Run['calledBack'] {
    return this.#fields.calledBack;
  }

  set calledBack(calledBack: Run['calledBack']) {
    if (this.#fields.calledBack !== calledBack) this.#own.calledBack = calledBack;
  }

  get redactedOn(): Run['redactedOn'] {
    return this.#fields.redactedOn;
  }

  set redactedOn(redactedOn: Run['redactedOn']) {
    if (this.#fields.redactedOn !== redactedOn) this.#own.redactedOn = redactedOn;
  }
}
