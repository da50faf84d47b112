/** The most consecutive times that are kept. */
const MOST = 16;

/** Consecutive times that were found before, so that the same ones need no second search. */
export class KnownTimes {
  readonly #find: (time: number) => number | undefined;
  /** No time lies between this one and the first of the known ones. */
  #from = Infinity;
  readonly #times: number[] = [];

  /** @param find the first time after a given one. */
  constructor(find: (time: number) => number | undefined) {
    this.#find = find;
  }

  after(time: number): number | undefined {
    const known = time < this.#from ? undefined : this.#times.find((each) => each > time);
    if (known !== undefined) return known;
    const found = this.#find(time);
    if (found !== undefined) this.#keep(time, found);
    return found;
  }

  #keep(time: number, found: number): void {
    const [first] = this.#times;
    if (time === this.#times.at(-1)) {
      this.#times.push(found);
      if (this.#times.length > MOST) this.#from = this.#times.shift() as number;
      return;
    }
    if (found === this.#from) this.#times.unshift(found);
    else if (found !== first) this.#times.splice(0, Infinity, found);
    this.#times.splice(MOST);
    this.#from = time;
  }
}
