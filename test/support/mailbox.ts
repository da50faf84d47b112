/** Hands things from those who put them to those who wait for them, in order and each once. */
export class Mailbox<T> {
  readonly #things: T[] = [];
  readonly #takers: ((thing: T) => void)[] = [];

  put(thing: T): void {
    const taker = this.#takers.shift();
    if (taker === undefined) this.#things.push(thing);
    else taker(thing);
  }

  take(): Promise<T> {
    if (this.#things.length > 0) return Promise.resolve(this.#things.shift() as T);
    return new Promise((resolve) => this.#takers.push(resolve));
  }
}
