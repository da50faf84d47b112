import { isObject } from '../../../../domain/values/json.ts';
import { invalidValue, missingParameter, SqsError } from './sqs-error.ts';

/**
 * The members of a request, or of an entry of a batch. A value of the wrong type is a `SerializationException`, as AWS
 * has it; null is the same as absent; members that SQS does not know are ignored, since SDKs are newer than services.
 */
export class Members {
  readonly #values: Readonly<Record<string, unknown>>;
  /** What names the members in errors, such as `SendMessageBatchRequestEntry.1.`. */
  readonly #path: string;

  constructor(values: Readonly<Record<string, unknown>>, path = '') {
    this.#values = values;
    this.#path = path;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.#mistyped(name, 'a string');
  }

  /** @throws SqsError `MissingParameter` for one that is absent or empty. */
  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw missingParameter(`${this.#path}${name}`);
    return value;
  }

  integer(name: string): number | undefined {
    const value = this.#value(name);
    if (value === undefined || Number.isSafeInteger(value)) return value as number | undefined;
    throw this.#mistyped(name, 'an integer');
  }

  /** @throws SqsError `InvalidParameterValue` with the rule for one out of bounds. */
  integerWithin(name: string, least: number, most: number, must: string): number | undefined {
    const value = this.integer(name);
    if (value === undefined || (value >= least && value <= most)) return value;
    throw invalidValue(name, value, must);
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
    throw this.#mistyped(name, 'a list of strings');
  }

  /** The entries of a map of strings. */
  textMap(name: string): ReadonlyMap<string, string> | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (!isObject(value)) throw this.#mistyped(name, 'a map of strings');
    const map = new Map<string, string>();
    for (const [key, text] of Object.entries(value)) {
      if (typeof text !== 'string') throw this.#mistyped(`${name}.${key}`, 'a string');
      map.set(key, text);
    }
    return map;
  }

  /** The entries of a map of structures. */
  structureMap(name: string): ReadonlyMap<string, Members> | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (!isObject(value)) throw this.#mistyped(name, 'a map of structures');
    const map = new Map<string, Members>();
    for (const [key, structure] of Object.entries(value)) {
      if (!isObject(structure)) throw this.#mistyped(`${name}.${key}`, 'a structure');
      map.set(key, new Members(structure, `${this.#path}${name}.${key}.`));
    }
    return map;
  }

  /** @param entry how errors name an entry, which they number from 1. */
  structures(name: string, entry: string): readonly Members[] | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.#mistyped(name, 'a list of structures');
    return value.map((structure: unknown, index) => {
      if (!isObject(structure)) throw this.#mistyped(`${name}.${index}`, 'a structure');
      return new Members(structure, `${entry}.${index + 1}.`);
    });
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? undefined) : undefined;
  }

  #mistyped(name: string, what: string): SqsError {
    return new SqsError('SerializationException', `${this.#path}${name} must be ${what}.`);
  }
}
