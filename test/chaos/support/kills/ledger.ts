import { expect } from 'chai';
import type { Answered, Asked, Found, HeldJob, Line, Standing } from './life.ts';

interface Place {
  readonly standing: Standing;
  /** That of who holds the job, if it is active. */
  readonly token?: string | undefined;
}

interface Step extends Place {
  readonly number: number;
  isAnswered: boolean;
}

interface KnownJob {
  /** Where the job stood at the last start. */
  before: Place;
  /** Whether its add was answered. Others may be gone after a kill. */
  isAdded: boolean;
  /** The steps of this life that were asked for, in their order; those without a promise may or may not have happened. */
  steps: Step[];
}

const GONE: Place = { standing: 'gone' };

/** What the clients of a store know, to be compared with what it shows when it is started again. */
export class Ledger {
  readonly #jobs = new Map<string, KnownJob>();
  /** What was asked in this life and not answered, by the number of the step. */
  readonly #asked = new Map<number, Asked>();
  readonly #unansweredPulls = new Set<string>();
  /** The active jobs that nobody is known to hold: those of pulls without an answer. */
  readonly #orphans = new Set<string>();
  #given: readonly HeldJob[] = [];
  /** The highest id that was answered, and that before this life. */
  #highest = 0;
  #highestBefore = 0;
  /** The number of the last step whose answer promised that it, and all before it, is on the disk. */
  #promised = 0;
  #isPaused: boolean | undefined;
  #isScheduled: boolean | undefined = false;
  /** The last slot of the scheduler whose job has ended. */
  #lastSlot = 0;

  get size(): number {
    return this.#jobs.size;
  }

  /** To be called before each life. @returns the jobs that clients may hold, and the tokens of the pulls to repeat. */
  begin(): { readonly held: readonly HeldJob[]; readonly unanswered: readonly string[] } {
    this.#given = [...this.#jobs].flatMap(([id, job]) =>
      this.#possible(job).flatMap(({ token }) => (token === undefined ? [] : [{ id, token }])),
    );
    return { held: this.#given, unanswered: [...this.#unansweredPulls] };
  }

  note(line: Line): void {
    if (line[0] === 'found') this.#compare(line[1]);
    else if (line[0] === 'asked') this.#ask(line[1], line[2]);
    else if (line[0] === 'answered') this.#answer(line[1], line[2]);
    else if (line[0] === 'started') this.#start(line[1], line[2]);
    else this.#expectEnded(line[1]);
  }

  #ask(number: number, asked: Asked): void {
    this.#asked.set(number, asked);
    if (asked.ask === 'pull') this.#unansweredPulls.add(asked.token);
    if (asked.ask === 'schedule' && !asked.isScheduled) this.#lastSlot = 0;
    if (asked.ask !== 'step') return;
    const { id, to: standing, token } = asked;
    this.#job(id).steps.push({ number, standing, token, isAnswered: false });
  }

  #answer(number: number, answer: Answered): void {
    const asked = this.#asked.get(number);
    this.#asked.delete(number);
    if (asked?.ask === 'add') this.#added(answer as readonly string[]);
    if (asked?.ask === 'pull') this.#pulled(number, asked.token, answer as string | null);
    if (asked?.ask === 'step') this.#stepped(number, asked.id, answer === true);
    if (asked?.ask === 'pause') this.#isPaused = asked.isPaused;
    if (asked?.ask === 'schedule') this.#isScheduled = asked.isScheduled;
    const isPromise = answer !== null && !(asked?.ask === 'step' && asked.endsCall === true);
    if (isPromise) this.#promised = Math.max(this.#promised, number);
  }

  #added(ids: readonly string[]): void {
    const numbers = ids.map(Number);
    expect(numbers, 'ids of one add').to.deep.equal(numbers.toSorted((one, other) => one - other));
    for (const id of ids) {
      expect(this.#jobs.get(id)?.isAdded, `${id} is given twice`).not.to.equal(true);
      expect(Number(id), 'a new id').to.be.greaterThan(this.#highestBefore);
      this.#highest = Math.max(this.#highest, Number(id));
      this.#job(id).isAdded = true;
    }
  }

  #pulled(number: number, token: string, id: string | null): void {
    this.#unansweredPulls.delete(token);
    if (id === null) return;
    const after = this.#start(number, id);
    this.#orphans.delete(id);
    const step: Step = { number, standing: 'active', token, isAnswered: true };
    this.#job(id).steps.splice(after, 0, step);
  }

  /**
   * A job was handed out, which nobody may hold or have ended. It may be one whose add was not answered yet, or one that
   * a later step opened, while the claim waited for the disk.
   *
   * @returns the index of the claim among the steps of the job.
   */
  #start(number: number, id: string): number {
    const slot = slotOf(id);
    if (slot !== undefined && !this.#jobs.has(id)) {
      expect(slot, `${id} starts, which was over`).to.be.greaterThan(this.#lastSlot);
    }
    const { steps, before } = this.#job(id);
    const after = steps.findLastIndex((step) => step.number < number) + 1;
    if (this.#orphans.has(id)) return after;
    const places = [before, ...steps];
    const open = places.findIndex(({ standing }, index) => index >= after && standing === 'open');
    const described = `${id} starts at ${number} after ${JSON.stringify(places)}`;
    expect(open, described).not.to.equal(-1);
    return open;
  }

  #stepped(number: number, id: string, isDone: boolean): void {
    const { steps } = this.#job(id);
    const index = steps.findIndex((step) => step.number === number);
    if (!isDone) steps.splice(index, 1);
    else {
      steps[index]!.isAnswered = true;
      const slot = slotOf(id);
      if (slot !== undefined && steps[index]!.standing !== 'active') {
        this.#lastSlot = Math.max(this.#lastSlot, slot);
      }
    }
  }

  #job(id: string): KnownJob {
    let job = this.#jobs.get(id);
    if (job === undefined) {
      job = { before: { standing: 'open' }, isAdded: false, steps: [] };
      this.#jobs.set(id, job);
    }
    return job;
  }

  #compare(found: Found): void {
    const standings = new Map(found.jobs.map(([id, standing]) => [id, standing]));
    expect(standings.size, 'each job is there once').to.equal(found.jobs.length);
    this.#expectAdds(found);
    const tokens = new Map(
      this.#given.filter((_, index) => found.holds[index]).map(({ id, token }) => [id, token]),
    );
    this.#orphans.clear();
    for (const id of new Set([...this.#jobs.keys(), ...standings.keys()])) {
      this.#place(id, standings.get(id) ?? 'gone', tokens.get(id));
    }
    expect(this.#orphans.size, 'jobs that nobody holds').to.be.most(this.#unansweredPulls.size);
    this.#expectControl(found);
    this.#asked.clear();
    this.#promised = 0;
    this.#highestBefore = this.#highest;
  }

  #place(id: string, standing: Standing, token: string | undefined): void {
    const job = this.#job(id);
    const places = this.#possible(job);
    const described = `${id}, which may be ${JSON.stringify(places)}, is ${standing}`;
    const fits = places.some((place) => place.standing === standing && place.token === token);
    const isPulled = standing === 'active' && places.some((place) => place.standing === 'open');
    expect(fits || isPulled, described).to.be.true;
    if (standing === 'active' && token === undefined) this.#orphans.add(id);
    if (standing === 'gone') this.#jobs.delete(id);
    else Object.assign(job, { before: { standing, token }, isAdded: true, steps: [] });
    if (slotOf(id) === undefined) this.#highest = Math.max(this.#highest, Number(id));
  }

  /** Where a job may stand after a kill: where the last promised step put it, or where a later step led. */
  #possible({ before, isAdded, steps }: KnownJob): readonly Place[] {
    const last = steps.findLastIndex((step) => step.isAnswered && step.number <= this.#promised);
    if (last >= 0) return steps.slice(last).map(placeOf);
    return [before, ...(isAdded ? [] : [GONE]), ...steps.map(placeOf)];
  }

  /** Each add is there as a whole or not at all, and whole if a later step is promised; nothing else is there. */
  #expectAdds(found: Found): void {
    const counts = new Map<string, number>();
    for (const [id, , name] of found.jobs) {
      if (slotOf(id) !== undefined || this.#jobs.get(id)?.isAdded === true) continue;
      expect(Number(id), 'an id that was not answered').to.be.greaterThan(this.#highestBefore);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const [number, asked] of this.#asked) {
      if (asked.ask !== 'add') continue;
      const count = counts.get(asked.name);
      counts.delete(asked.name);
      if (number < this.#promised || count !== undefined) {
        expect(count, 'jobs of an add that was not answered').to.equal(asked.count);
      }
    }
    expect([...counts.keys()], 'adds that nobody made').to.deep.equal([]);
  }

  #expectControl({ isPaused, planned, jobs }: Found): void {
    const asked = [...this.#asked.values()];
    const pauses = asked.flatMap((each) => (each.ask === 'pause' ? [each.isPaused] : []));
    if (this.#isPaused !== undefined) expect([this.#isPaused, ...pauses]).to.include(isPaused);
    this.#isPaused = isPaused;
    const schedules = asked.flatMap((each) => (each.ask === 'schedule' ? [each.isScheduled] : []));
    const isScheduled = planned !== null;
    expect([this.#isScheduled, ...schedules], 'a scheduler').to.include(isScheduled);
    this.#isScheduled = isScheduled;
    if (isScheduled) expect(jobs.map(([id]) => id)).to.include(planned);
  }

  /** After a life that ended everything: all that was known is there, and has ended. */
  #expectEnded({ jobs }: Found): void {
    expect(this.#orphans.size, 'jobs that nobody holds').to.equal(0);
    const standings = new Map(jobs.map(([id, standing]) => [id, standing]));
    const left = jobs.filter(([, standing]) => !['completed', 'failed'].includes(standing));
    expect(left, 'jobs that could not be ended').to.deep.equal([]);
    const added = [...this.#jobs.keys()].filter((id) => slotOf(id) === undefined);
    expect(
      added.filter((id) => !standings.has(id)),
      'jobs that are gone',
    ).to.deep.equal([]);
  }
}

function placeOf({ standing, token }: Step): Place {
  return { standing, token };
}

/** The time of the job of a scheduler. */
function slotOf(id: string): number | undefined {
  return id.startsWith('repeat:') ? Number(id.split(':').at(-1)) : undefined;
}
