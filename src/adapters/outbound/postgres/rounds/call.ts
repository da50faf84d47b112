import { STORE_PATIENCE } from '../../../../application/ports/store-patience.ts';
import { storedOrNot, storeUnavailable } from '../../../../domain/errors.ts';

/** A caller of a port. `Given` is what its steps are given. */
export class Call<Given extends readonly unknown[]> {
  /** Undefined once it is over: it may have a large request, and stay in the line for a while. */
  #run: ((...given: Given) => unknown) | undefined;
  readonly #resolve: (answer: unknown) => void;
  readonly #reject: (error: unknown) => void;
  readonly #due = performance.now() + STORE_PATIENCE;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #hasRun = false;
  /** Why it did not run in a round that was tried before. */
  #cause: unknown = new Error('the store did not answer in time');
  /** Answers the caller as the steps ended. */
  #end: () => void = () => undefined;

  constructor(
    run: (...given: Given) => unknown,
    resolve: (answer: unknown) => void,
    reject: (error: unknown) => void,
  ) {
    this.#run = run;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.fail(this.#cause), STORE_PATIENCE);
  }

  /** Whether it is still to run: it is refused after STORE_PATIENCE. */
  get isDue(): boolean {
    return !this.#isOver && !this.#hasRun;
  }

  /** Whether the caller still waits for its answer. */
  get isOpen(): boolean {
    return !this.#isOver;
  }

  /** @param cause why it has not run yet. */
  delay(cause: unknown): void {
    this.#cause = cause;
  }

  /** The caller waits for the commit from now on, however long it takes: a refusal might be untrue. */
  awaitCommit(): void {
    clearTimeout(this.#timer);
  }

  async run(...given: Given): Promise<void> {
    this.#hasRun = true;
    try {
      const answer = await this.#run?.(...given);
      this.#end = () => this.#resolve(answer);
    } catch (error) {
      this.#end = () => this.#reject(error);
    }
  }

  /** Answers the caller, once what the steps changed is stored. */
  answer(): void {
    this.#finish(this.#end);
  }

  /** Nothing of it is stored, nor will be. */
  fail(error: unknown): void {
    this.#finish(() => this.#reject(storeUnavailable(error)));
  }

  /** It may be stored. The caller learns whether it is, if that is known within STORE_PATIENCE of the call. */
  doubt(error: unknown): void {
    const left = Math.max(0, this.#due - performance.now());
    this.#timer = setTimeout(() => this.giveUp(error), left);
  }

  /** It may be stored, and the caller does not learn whether it is. */
  giveUp(error: unknown): void {
    this.#finish(() => this.#reject(storedOrNot(error)));
  }

  #finish(answer: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#run = undefined;
    clearTimeout(this.#timer);
    answer();
  }
}
