import type { AddedByStepInput, JobSteps, SuspendInput } from './api.ts';
import { msOf, type Duration } from './durations.ts';
import type { Reporter } from './reporter.ts';

/** The values of steps by their names. */
export type StepValues = ReadonlyMap<string, unknown>;

/** A job that a step adds. */
export type JobOfStep = AddedByStepInput;

/** How a job that a step added ended. */
export interface EndedJobOfStep {
  readonly queue: string;
  readonly id: string;
  readonly state: 'completed' | 'failed' | 'removed';
  readonly returnvalue?: unknown;
  readonly failedReason?: string;
}

type Kind = Exclude<keyof SuspendInput, 'steps'>;

/** Without those that would select another path. */
const NAME = /^(?!\.\.?$)[A-Za-z0-9._:-]{1,100}$/;

/** What a handler awaits when its call ends. */
export class Suspension {
  /** The body of an answer 206. */
  readonly answer: SuspendInput;

  constructor(answer: SuspendInput) {
    this.answer = answer;
  }
}

/** The saved steps of a job: what was saved under a name is not done again by a later call of the job. */
export class SavedSteps {
  readonly #reporter: Reporter;
  readonly #readSaved: () => Promise<StepValues>;
  #values: Promise<Map<string, unknown>> | undefined;
  readonly #running = new Map<string, Promise<unknown>>();

  /** @param readSaved the steps that earlier calls saved; called once, and only when a handler uses steps. */
  constructor(reporter: Reporter, readSaved: () => Promise<StepValues>) {
    this.#reporter = reporter;
    this.#readSaved = readSaved;
  }

  /**
   * Runs `work` and saves the value that it returns, as JSON and `true` for nothing, unless an earlier call did: then
   * its value is returned.
   */
  async run<Value>(name: string, work: () => Value | Promise<Value>): Promise<Value> {
    const values = await this.values(name);
    if (values.has(name)) return values.get(name) as Value;
    let running = this.#running.get(name);
    if (running === undefined) {
      running = this.begin(() => this.#run(name, work, values));
      this.#running.set(name, running);
    }
    return running as Promise<Value>;
  }

  protected get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Overridden by steps that may not begin any more. */
  protected begin(step: () => Promise<unknown>): Promise<unknown> {
    return step();
  }

  /** @throws RangeError for a name that no step may have: its value could not be saved. */
  protected async values(name: string): Promise<Map<string, unknown>> {
    if (!NAME.test(name)) {
      throw new RangeError(
        `The name of a step must be 1 to 100 characters of A-Za-z0-9._:-: ${name}`,
      );
    }
    this.#values ??= this.#readSaved().then((values) => new Map(values));
    return this.#values;
  }

  async #run(name: string, work: () => unknown, values: Map<string, unknown>): Promise<unknown> {
    try {
      // A step that could not be saved is not begun.
      this.#reporter.address();
      const text = JSON.stringify((await work()) ?? true);
      const value = (JSON.parse(text) as unknown) ?? true;
      const { status, body } = await this.#reporter.ask('PUT', `steps/${name}`, value);
      // The first value of a name stays.
      values.set(name, status === 201 ? value : body);
      return values.get(name);
    } finally {
      this.#running.delete(name);
    }
  }
}

/** The steps of a job. A wait ends the call, and never returns in it: a later call finds what it waited for. */
export class Steps extends SavedSteps {
  /** Resolves when the handler does nothing but wait for steps. */
  readonly suspended: Promise<Suspension>;
  #suspend!: (suspension: Suspension) => void;
  #isOver = false;
  #turn: ReturnType<typeof setTimeout> | undefined;
  /** What is awaited by names, of each kind. */
  readonly #awaited = new Map<Kind, Map<string, unknown>>();

  constructor(reporter: Reporter, readSaved: () => Promise<StepValues>) {
    super(reporter, readSaved);
    this.suspended = new Promise((resolve) => (this.#suspend = resolve));
  }

  /** Lets the job rest. Returns the time (epoch ms) at which that was over. */
  sleep(name: string, duration: Duration): Promise<number> {
    return this.#wait('sleep', name, () => msOf(duration));
  }

  /** Waits for a signal of the job's queue. Returns its body, or null after `timeout`. */
  waitFor<Body = unknown>(
    name: string,
    { signal, timeout }: { readonly signal: string; readonly timeout?: Duration | undefined },
  ): Promise<Body | null> {
    return this.#wait('waitFor', name, () => ({
      signal,
      ...(timeout !== undefined && { timeout: msOf(timeout) }),
    }));
  }

  /** Adds jobs, and waits until all of them have ended for good. Returns their ends, in order. */
  add(name: string, jobs: readonly JobOfStep[]): Promise<readonly EndedJobOfStep[]> {
    return this.#wait('add', name, () => jobs);
  }

  protected override async begin(step: () => Promise<unknown>): Promise<unknown> {
    if (this.#isOver) return never();
    return step().finally(() => this.#lookLater());
  }

  async #wait<Value>(kind: Kind, name: string, what: () => unknown): Promise<Value> {
    const values = await this.values(name);
    if (values.has(name)) return values.get(name) as Value;
    const awaited = this.#awaited.get(kind) ?? new Map<string, unknown>();
    this.#awaited.set(kind, awaited.set(name, what()));
    this.#lookLater();
    return never();
  }

  /** A turn later, so that steps which are started together go into one answer. */
  #lookLater(): void {
    clearTimeout(this.#turn);
    this.#turn = setTimeout(() => {
      // One answer awaits steps of one kind; those of another follow in a later call.
      const [first] = this.#awaited;
      // A step that runs is saved first.
      if (this.#isOver || this.isRunning || first === undefined) return;
      this.#isOver = true;
      const [kind, awaited] = first;
      this.#suspend(new Suspension({ [kind]: Object.fromEntries(awaited) }));
    });
  }
}

/** The values of steps as the service lists them. */
export function valuesOf({ steps }: JobSteps): StepValues {
  return new Map(steps.map(({ name, value }) => [name, value]));
}

/** A promise that stays open: an exception could be caught by a handler that then goes on. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
