import { signal, type Signal } from '@preact/signals';
import { keep, kept } from './browser-storage.ts';

/** A choice that this browser keeps: one of the values, by default the first. */
export class Preference<Value extends string> {
  readonly #name: string;
  readonly #values: readonly [Value, ...Value[]];
  readonly #chosen: Signal<Value>;

  constructor(name: string, values: readonly [Value, ...Value[]]) {
    this.#name = name;
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
    keep(this.#name, value);
  }

  /** Chooses the next value, and after the last one the first. */
  next(): void {
    const [first] = this.#values;
    this.value = this.#values[this.#values.indexOf(this.value) + 1] ?? first;
  }

  #stored(): Value {
    const [first] = this.#values;
    const stored = kept<unknown>(this.#name, first);
    return this.#values.find((value) => value === stored) ?? first;
  }
}
