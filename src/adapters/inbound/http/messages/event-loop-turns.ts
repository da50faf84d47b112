import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long all callers that share one turn of the event loop may take together, in milliseconds. */
const SHARE = 5;

/** Hands out turns of the event loop, so that other clients are served in between. */
export class EventLoopTurns {
  #last: Promise<void> = Promise.resolve();
  readonly #waiting = new Set<() => void>();
  #shareEnds = 0;
  /** Whether a share has begun in the current turn. It ends with the turn. */
  #isShared = false;
  #isOneGoing = false;
  readonly #now: () => number;

  /** @param now the monotonic clock, in milliseconds. */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Gives each caller a turn of its own. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => nextTurn());
    return this.#last;
  }

  /**
   * For small pieces of work that many callers may have at the same moment. The callers continue one after the other
   * until their share of a turn is used up, the rest in the next turn. Undefined when the caller may continue at once.
   */
  share(): Promise<void> | undefined {
    const now = this.#now();
    if (!this.#isShared) {
      this.#isShared = true;
      this.#shareEnds = now + SHARE;
      setImmediate(this.#begin);
    }
    if (!this.#isOneGoing && this.#waiting.size === 0 && now < this.#shareEnds) {
      this.#goOn();
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** A tick that a microtask requests runs after all microtasks, and so after the work of the caller that continues. */
  #goOn(): void {
    this.#isOneGoing = true;
    queueMicrotask(() => {
      process.nextTick(this.#letNextGoOn);
    });
  }

  readonly #letNextGoOn = (): void => {
    this.#isOneGoing = false;
    const [resolve] = this.#waiting;
    if (resolve === undefined || this.#now() >= this.#shareEnds) return;
    this.#waiting.delete(resolve);
    this.#goOn();
    resolve();
  };

  readonly #begin = (): void => {
    this.#isShared = this.#waiting.size > 0;
    if (!this.#isShared) return;
    this.#shareEnds = this.#now() + SHARE;
    setImmediate(this.#begin);
    this.#letNextGoOn();
  };
}
