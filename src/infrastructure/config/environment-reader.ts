import type { ReadFile } from './readers.ts';
import type { Variable } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** For each service, Kubernetes sets a variable such as STORE_PORT=tcp://10.0.0.1:6379 in every container. */
function serviceLinkHint(name: string): string {
  const service = name.replace(/_PORT$/, '').toLowerCase();
  return ` (Kubernetes sets it for a service named ${service}: give the pod enableServiceLinks: false)`;
}

/**
 * Reads variables one by one and collects every error instead of stopping at the first. An empty variable counts as
 * unset; after an error, the default replaces the value.
 */
export class EnvironmentReader {
  readonly problems: string[] = [];
  readonly #environment: Environment;
  readonly #readFile: ReadFile;

  constructor(environment: Environment, readFile: ReadFile) {
    this.#environment = environment;
    this.#readFile = readFile;
  }

  /** The value of a variable with a default. */
  value<Value>(variable: Variable<Value> & { readonly default: string }): Value {
    const value = this.given(variable) ?? variable.reads.parse(variable.default, this.#readFile);
    if (value === undefined) throw new TypeError(`The default of ${variable.name} is not valid`);
    return value;
  }

  /** The value if the variable is set and valid. */
  given<Value>(variable: Variable<Value>): Value | undefined {
    const text = this.#text(variable);
    if (text === undefined) return undefined;
    const value = variable.reads.parse(text, this.#readFile);
    if (value === undefined) {
      const { must } = variable.reads;
      this.reject(variable, typeof must === 'string' ? must : must(text));
    }
    return value;
  }

  isSet(variable: Variable): boolean {
    return this.#text(variable) !== undefined;
  }

  /** Rejects an unset variable that another, set variable requires. */
  requireWith(given: Variable, missing: Variable): void {
    if (this.isSet(given) && !this.isSet(missing)) {
      this.reject(missing, `be given together with ${given.name}`);
    }
  }

  /** Records that the variable violates a rule: "<name> must ...", which contains no value that may be secret. */
  reject(variable: Variable, must: string): void {
    const { name } = variable;
    const isLink = name.endsWith('_PORT') && this.#text(variable)?.startsWith('tcp://') === true;
    this.problems.push(`${name} must ${must}${isLink ? serviceLinkHint(name) : ''}`);
  }

  #text({ name }: Variable): string | undefined {
    const text = this.#environment[name];
    return text === '' ? undefined : text;
  }
}
