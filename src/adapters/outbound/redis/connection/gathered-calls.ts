/**
 * Gathers the calls of one turn of the event loop, those of each key by themselves. They are handed over in the
 * check phase of the loop: then all that arrived together has been read.
 */
export class GatheredCalls<Key, Call> {
  readonly #handOver: (key: Key, calls: readonly Call[]) => void;
  readonly #most: number;
  readonly #gathered = new Map<Key, Call[]>();
  #isGathering = false;

  /** @param most so many calls of a key are handed over at once. */
  constructor(handOver: (key: Key, calls: readonly Call[]) => void, most = Infinity) {
    this.#handOver = handOver;
    this.#most = most;
  }

  /** @param isUrgent the first call of a turn does not wait for others then; those after it go together. */
  add(key: Key, call: Call, isUrgent = false): void {
    const calls = this.#gathered.get(key);
    if (calls === undefined) {
      this.#gathered.set(key, isUrgent ? [] : [call]);
      if (isUrgent) this.#handOver(key, [call]);
    } else if (calls.push(call) >= this.#most) {
      this.#gathered.delete(key);
      this.#handOver(key, calls);
    }
    if (this.#isGathering) return;
    this.#isGathering = true;
    setImmediate(() => this.#handAllOver());
  }

  #handAllOver(): void {
    this.#isGathering = false;
    const gathered = [...this.#gathered];
    this.#gathered.clear();
    for (const [key, calls] of gathered) {
      if (calls.length > 0) this.#handOver(key, calls);
    }
  }
}
