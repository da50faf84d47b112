import { setImmediate as turn } from 'node:timers/promises';
import { storeUnavailable } from '../../../../domain/errors.ts';

/** The most that one step of a request may carry; a larger request goes in pieces. */
export const MOST_IN_PIECE = { jobs: 1000, characters: 1_000_000 };

/** Up to so much a step does not wait for the pieces of large requests, nor they for it. */
export const MOST_IN_SMALL = { jobs: 100, characters: 100_000 };

/** How long (ms) a large request waits for those before it: clients usually wait for 30 s. */
const PATIENCE_FOR_TURN = 10_000;

/** How a store runs steps, and has them stored. */
export interface RunsSteps {
  /** Whether the pieces of a large add store records of jobs besides payloads. Only stores that keep records do. */
  readonly stagesRecords?: true;

  /** Runs the step of a small call, in memory unless given. The caller has it stored. */
  small?<Answer>(step: () => Answer): Promise<Answer>;

  /** Runs a piece of a large request. Resolves once it is stored; calls that wait by then come before the next piece. */
  piece<Answer>(step: () => Answer): Promise<Answer>;
}

/** Of a store that is in memory alone. */
const IN_MEMORY: RunsSteps = {
  piece: async (step) => {
    await turn();
    const answer = await step();
    await turn();
    return answer;
  },
};

/** Runs tasks one after the other, in their order. */
class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws what the task throws; the next one runs all the same. */
  run<Answer>(task: () => Promise<Answer>): Promise<Answer> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => undefined);
    return run;
  }

  /**
   * The same for a task that begins soon or not at all.
   *
   * @param patience in milliseconds.
   * @throws DomainError `store-unavailable` when its turn does not come within it.
   */
  runSoon<Answer>(task: () => Promise<Answer>, patience: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let isRefused = false;
      const timer = setTimeout(() => {
        isRefused = true;
        reject(storeUnavailable(new Error('Other large requests are in progress')));
      }, patience);
      this.run(async () => {
        clearTimeout(timer);
        if (!isRefused) await task().then(resolve, reject);
      }).catch(reject);
    });
  }
}

/**
 * Runs the steps of the ports of one store so that no request keeps others waiting (platform contract, section 15,
 * "Fair"). Of all large requests together one piece runs at a time, in the order in which they come.
 */
export class Steps {
  readonly #runs: RunsSteps;
  readonly #pieces = new OneByOne();
  readonly #staged = new OneByOne();
  readonly #reads = new OneByOne();

  constructor(runs: RunsSteps = IN_MEMORY) {
    this.#runs = runs;
  }

  get stagesRecords(): boolean {
    return this.#runs.stagesRecords === true;
  }

  async small<Answer>(step: () => Answer): Promise<Answer> {
    return this.#runs.small === undefined ? step() : this.#runs.small(step);
  }

  piece<Answer>(step: () => Answer): Promise<Answer> {
    return this.#pieces.run(() => this.#runs.piece(step));
  }

  /** Runs a large read between two steps: one at a time, so that the disk or the server has time for others. */
  largeRead<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    return this.#reads.run(read);
  }

  /**
   * Runs a request whose pieces are in memory until its end: the next one begins after it. So of those that are repeated
   * one is always in progress.
   *
   * @throws DomainError `store-unavailable` when it cannot begin for 10 s, or whatever it throws.
   */
  staged<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    return this.#staged.runSoon(request, PATIENCE_FOR_TURN);
  }
}
