import { GatheredCalls } from './gathered-calls.ts';

interface WaitingCall<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Which calls share a run. */
export interface Sharing<Call> {
  /** Most calls of a run. With more, the store would idle while they are gathered, and this process while it works. */
  readonly most: number;
  /** Whether a call may share the run of those before it; by default each may. */
  readonly fits?: (group: readonly Call[], call: Call) => boolean;
  /** Whether a call, as the first of its turn, does not wait for others; by default each waits. */
  readonly isUrgent?: (call: Call) => boolean;
}

/**
 * Lets calls of the same turn of the event loop share one run of a script, separately for each key. Each gets its own
 * answer.
 */
export class SharedRuns<Key, Call, Answer> {
  readonly #run: (key: Key, calls: readonly Call[]) => Promise<readonly Answer[]>;
  readonly #fits: (group: readonly Call[], call: Call) => boolean;
  readonly #isUrgent: (call: Call) => boolean;
  readonly #waiting: GatheredCalls<Key, WaitingCall<Call, Answer>>;

  /** @param run returns an answer for each of the calls, in their order. */
  constructor(
    run: (key: Key, calls: readonly Call[]) => Promise<readonly Answer[]>,
    { most, fits = () => true, isUrgent = () => false }: Sharing<Call>,
  ) {
    this.#run = run;
    this.#fits = fits;
    this.#isUrgent = isUrgent;
    this.#waiting = new GatheredCalls((key, waiting) => {
      for (const group of this.#grouped(waiting)) void this.#runGroup(key, group);
    }, most);
  }

  /** Rejects as the run does: then either all of its calls took effect or none. */
  add(key: Key, call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(key, { call, resolve, reject }, this.#isUrgent(call));
    });
  }

  /** Groups of calls that fit together, in their order. */
  #grouped(waiting: readonly WaitingCall<Call, Answer>[]): readonly WaitingCall<Call, Answer>[][] {
    const groups: WaitingCall<Call, Answer>[][] = [];
    let calls: Call[] = [];
    for (const each of waiting) {
      const group = groups.at(-1);
      if (group !== undefined && this.#fits(calls, each.call)) {
        group.push(each);
        calls.push(each.call);
      } else {
        groups.push([each]);
        calls = [each.call];
      }
    }
    return groups;
  }

  async #runGroup(key: Key, group: readonly WaitingCall<Call, Answer>[]): Promise<void> {
    try {
      const answers = await this.#run(
        key,
        group.map(({ call }) => call),
      );
      group.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
