import { signal, type Signal } from '@preact/signals';

/** A choice that this browser keeps: one of the values, the first unless another was chosen. */
export class Preference<Value extends string> {
  readonly #key: string;
  readonly #values: readonly [Value, ...Value[]];
  readonly #chosen: Signal<Value>;

  constructor(name: string, values: readonly [Value, ...Value[]]) {
    this.#key = `jobgate-${name}`;
    this.#values = values;
    this.#chosen = signal(this.#stored());
  }

  get values(): readonly Value[] {
    return this.#values;
  }

  get value(): Value {
    return this.#chosen.value;
  }

  set value(value: Value) {
    this.#chosen.value = value;
    try {
      localStorage.setItem(this.#key, value);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  /** Chooses the value after the chosen one, and after the last the first. */
  next(): void {
    const [first] = this.#values;
    this.value = this.#values[this.#values.indexOf(this.value) + 1] ?? first;
  }

  #stored(): Value {
    const [first] = this.#values;
    try {
      const stored = localStorage.getItem(this.#key);
      return this.#values.find((value) => value === stored) ?? first;
    } catch {
      return first;
    }
  }
}
