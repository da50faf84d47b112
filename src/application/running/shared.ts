import { LatestEntries } from '../../domain/values/latest-entries.ts';
import type { ClockPort } from '../ports/clock-port.ts';

export interface Sharing<Value = unknown> {
  /** How long (ms) a value is shared, from the start of its reading. */
  readonly freshFor: number | (() => number);
  /** For how many keys values are kept, the latest ones. */
  readonly most?: number;
  /** How large the kept values may be together: the latest ones stay. */
  readonly size?: { readonly most: number; readonly of: (value: Value) => number };
}

interface Reading<Value> {
  /** When it began, epoch ms. */
  readonly at: number;
  readonly value: Promise<Value>;
  /** 0 while it is read. */
  size: number;
}

/** Values that are costly to read: callers share each while it is fresh. One that could not be read is not kept. */
export class Shared<Value, Key = void> {
  readonly #clock: Pick<ClockPort, 'now'>;
  readonly #freshFor: () => number;
  readonly #read: (at: number, key: Key) => Promise<Value>;
  readonly #readings: LatestEntries<Key, Reading<Value>>;
  readonly #size: Sharing<Value>['size'];

  /** @param read is told when it began, epoch ms. */
  constructor(
    clock: Pick<ClockPort, 'now'>,
    { freshFor, most = 1, size }: Sharing<Value>,
    read: (at: number, key: Key) => Promise<Value>,
  ) {
    this.#clock = clock;
    this.#freshFor = typeof freshFor === 'number' ? () => freshFor : freshFor;
    this.#readings = new LatestEntries(most);
    this.#size = size;
    this.#read = read;
  }

  of(key: Key): Promise<Value> {
    const known = this.#readings.get(key);
    return known !== undefined && this.ageOf(key) < this.#freshFor()
      ? known.value
      : this.renewed(key);
  }

  /** How long ago (ms) the reading of the value began. */
  ageOf(key: Key): number {
    return Math.abs(this.#clock.now() - (this.#readings.get(key)?.at ?? -Infinity));
  }

  /** A value that is read now, and shared from now on. */
  renewed(key: Key): Promise<Value> {
    const at = this.#clock.now();
    const reading = { at, value: this.#read(at, key), size: 0 };
    this.#readings.set(key, reading);
    reading.value.then(
      (value) => {
        if (this.#size === undefined) return;
        reading.size = this.#size.of(value);
        this.#makeRoom(this.#size.most);
      },
      () => {
        if (this.#readings.get(key) === reading) this.#readings.delete(key);
      },
    );
    return reading.value;
  }

  forget(): void {
    this.#readings.clear();
  }

  #makeRoom(most: number): void {
    let left = most;
    for (const [key, { size }] of [...this.#readings].reverse()) {
      left -= size;
      if (left < 0) this.#readings.delete(key);
    }
  }
}
