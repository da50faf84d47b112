/**
 * Gathers the calls of one turn of the event loop, separately for each key. They are handed over in the check phase of
 * the loop, when everything that arrived together has been read.
 */
export class GatheredCalls<Key, Call> {
  readonly #handOver: (key: Key, calls: readonly Call[]) => void;
  /** Replaced after each turn: a Map that is emptied keeps what was in it alive until a full collection of garbage. */
  #gathered = new Map<Key, Call[]>();
  #isGathering = false;

  constructor(handOver: (key: Key, calls: readonly Call[]) => void) {
    this.#handOver = handOver;
  }

  /**
   * @param most how many calls of a key are handed over at once, without waiting for the end of the turn.
   * @param isUrgent whether the first call of a turn is handed over at once; later ones are handed over together.
   */
  add(key: Key, call: Call, most = Infinity, isUrgent = false): void {
    const calls = this.#gathered.get(key);
    if (calls === undefined) {
      this.#gathered.set(key, isUrgent ? [] : [call]);
      if (isUrgent) this.#handOver(key, [call]);
    } else if (calls.push(call) >= most) {
      this.#gathered.set(key, []);
      this.#handOver(key, calls);
    }
    if (this.#isGathering) return;
    this.#isGathering = true;
    setImmediate(() => this.#handAllOver());
  }

  #handAllOver(): void {
    this.#isGathering = false;
    const gathered = this.#gathered;
    this.#gathered = new Map();
    for (const [key, calls] of gathered) {
      if (calls.length > 0) this.#handOver(key, calls);
    }
  }
}
