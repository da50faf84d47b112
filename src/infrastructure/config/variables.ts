export type Environment = Readonly<Record<string, string | undefined>>;

const SIZE = /^(\d{1,12})(b|kb|mb)?$/i;

/** Bytes. A string of the platform holds 512 MB at most, and work with one needs room. */
const MAX_SIZE = 256 * 1024 * 1024;

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };

/** Kubernetes gives every container a variable such as STORE_PORT=tcp://10.0.0.1:6379 for each service. */
function serviceLinkHint(name: string): string {
  const service = name.replace(/_PORT$/, '').toLowerCase();
  return ` (Kubernetes sets it for a service named ${service}: give the pod enableServiceLinks: false)`;
}

/**
 * Reads variables one by one and remembers every mistake instead of stopping at the first. A variable
 * that is set to nothing counts as not set; after a mistake the default stands in for the value.
 */
export class Variables {
  readonly problems: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Notes that the variable breaks a rule: "<name> must ...". Its value is never repeated. */
  reject(name: string, must: string): void {
    const isLink = name.endsWith('_PORT') && this.text(name)?.startsWith('tcp://') === true;
    this.problems.push(`${name} must ${must}${isLink ? serviceLinkHint(name) : ''}`);
  }

  text(name: string): string | undefined {
    const value = this.#environment[name];
    return value === '' ? undefined : value;
  }

  isSet(name: string): boolean {
    return this.text(name) !== undefined;
  }

  /** A text that the pattern accepts. */
  matching(name: string, byDefault: string, pattern: RegExp, must: string): string {
    const text = this.text(name) ?? byDefault;
    if (pattern.test(text)) return text;
    this.reject(name, must);
    return byDefault;
  }

  integer(name: string, byDefault: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return byDefault;
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    this.reject(name, `be an integer from ${least} to ${most}`);
    return byDefault;
  }

  /** A number of bytes, or of kb or mb (1024 and 1024 times 1024 bytes). */
  size(name: string, byDefault: number): number {
    const text = this.text(name);
    if (text === undefined) return byDefault;
    const [, number, unit = 'b'] = SIZE.exec(text) ?? [];
    const bytes = Number(number) * (UNITS[unit.toLowerCase()] ?? NaN);
    if (bytes >= 1 && bytes <= MAX_SIZE) return bytes;
    this.reject(
      name,
      'be a size of at least 1 byte and at most 256mb, such as 65536, 512kb or 10mb',
    );
    return byDefault;
  }

  boolean(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (text === 'true' || text === '1') return true;
    if (text !== 'false' && text !== '0') this.reject(name, 'be true, false, 1 or 0');
    return false;
  }

  oneOf<const Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
    const text = this.text(name);
    if (text === undefined) return values[0];
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) this.reject(name, `be ${values.join(' or ')}`);
    return value ?? values[0];
  }

  /** The parts between commas, trimmed, without empty ones. */
  list(name: string): readonly string[] {
    const parts = (this.text(name) ?? '').split(',').map((part) => part.trim());
    return parts.filter((part) => part !== '');
  }
}
