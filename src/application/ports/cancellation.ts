/**
 * Whether something that runs shall end early: its owner requests it, once, and it listens. It does what an
 * AbortController does at a fraction of the cost, since every attempt needs one.
 */
export class Cancellation {
  #isRequested = false;
  #listener: (() => void) | undefined;

  get isRequested(): boolean {
    return this.#isRequested;
  }

  request(): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    this.#listener?.();
  }

  /** Has the only listener called when it is requested from now on; undefined when nobody listens any more. */
  listen(listener: (() => void) | undefined): void {
    this.#listener = listener;
  }
}
