import { GatheredCalls } from './gathered-calls.ts';

interface WaitingCall<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The rules by which calls share a run. */
export interface Sharing<Call> {
  /**
   * The most calls of a run with this call; no limit by default. With more, the store would idle while they are gathered, and this
   * process while the store works.
   */
  readonly most?: (call: Call) => number;
  /** The most characters in a run of several calls: the store does nothing else while it executes the run. */
  readonly largest?: number;
  /** How many characters a call has; none by default. */
  readonly sizeOf?: (call: Call) => number;
  /** Whether a call may share the run that another call began; by default it may. */
  readonly agrees?: (first: Call, call: Call) => boolean;
  /** Whether a call that is the first of its turn runs without waiting for others; by default it waits. */
  readonly isUrgent?: (call: Call) => boolean;
  /**
   * Whether an error of a shared run is due to some of its calls; by default it is not. If so, each call runs again
   * alone.
   */
  readonly isOfSome?: (error: unknown) => boolean;
}

/** The calls that share a run. */
interface Group<Call, Answer> {
  readonly calls: [WaitingCall<Call, Answer>, ...WaitingCall<Call, Answer>[]];
  size: number;
}

/**
 * Lets calls of the same turn of the event loop share one run of a script, separately for each key. Each gets its own
 * answer.
 */
export class SharedRuns<Key, Call, Answer> {
  readonly #run: (key: Key, calls: readonly Call[]) => Promise<readonly Answer[]>;
  readonly #sharing: Required<Sharing<Call>>;
  readonly #waiting: GatheredCalls<Key, WaitingCall<Call, Answer>>;

  /** @param run returns an answer for each of the calls, in their order. */
  constructor(
    run: (key: Key, calls: readonly Call[]) => Promise<readonly Answer[]>,
    {
      most = () => Infinity,
      largest = Infinity,
      sizeOf = () => 0,
      agrees = () => true,
      isUrgent = () => false,
      isOfSome = () => false,
    }: Sharing<Call>,
  ) {
    this.#run = run;
    this.#sharing = { most, largest, sizeOf, agrees, isUrgent, isOfSome };
    this.#waiting = new GatheredCalls((key, waiting) => {
      for (const { calls } of this.#grouped(waiting)) void this.#runGroup(key, calls);
    });
  }

  /** Rejects if the run does: then either all of its calls took effect or none did. */
  add(key: Key, call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { most, isUrgent } = this.#sharing;
      this.#waiting.add(key, { call, resolve, reject }, most(call), isUrgent(call));
    });
  }

  /** Groups of calls that fit together, in their order. */
  #grouped(waiting: readonly WaitingCall<Call, Answer>[]): readonly Group<Call, Answer>[] {
    const { largest, sizeOf, agrees } = this.#sharing;
    const groups: Group<Call, Answer>[] = [];
    for (const each of waiting) {
      const group = groups.at(-1);
      const size = sizeOf(each.call);
      const fits = group !== undefined && group.size + size <= largest;
      if (fits && agrees(group.calls[0].call, each.call)) {
        group.calls.push(each);
        group.size += size;
      } else {
        groups.push({ calls: [each], size });
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
      if (group.length > 1 && this.#sharing.isOfSome(error)) {
        for (const each of group) void this.#runGroup(key, [each]);
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  }
}
