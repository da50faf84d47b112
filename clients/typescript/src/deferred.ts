import { Reporter, type JobAddress } from './reporter.ts';

/** A job that is completed later, here or in another process. Its JSON is a secret. */
export class Deferred {
  readonly #address: JobAddress;
  readonly #reporter: Reporter;

  constructor(address: JobAddress, reporter?: Reporter) {
    this.#address = address;
    this.#reporter = reporter ?? new Reporter(address, () => undefined);
  }

  static from(value: string | object): Deferred {
    const source: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    if (source instanceof Deferred) return source;
    const fields = source as Partial<Record<keyof JobAddress, unknown>>;
    for (const name of ['url', 'queue', 'id', 'token'] as const) {
      if (typeof fields[name] !== 'string') {
        throw new TypeError(`${name} of a deferred job must be a string`);
      }
    }
    const { url, queue, id, token } = source as JobAddress;
    return new Deferred({ url, queue, id, token });
  }

  complete(value?: unknown): Promise<void> {
    return this.#reporter.outcome('complete', value ?? null);
  }

  fail(reason: string, options: { retry?: boolean; delay?: number } = {}): Promise<void> {
    return this.#reporter.outcome('fail', { reason: shortened(reason), ...options });
  }

  async extend(ms: number): Promise<{ until: number }> {
    return (await this.#reporter.send('POST', 'extend', { lock: ms })) as { until: number };
  }

  release(options: { delay?: number } = {}): Promise<void> {
    return this.#reporter.outcome('release', options);
  }

  progress(value: unknown): Promise<void> {
    return this.#reporter.progress(value);
  }

  log(text: string): Promise<void> {
    return this.#reporter.log(text);
  }

  toJSON(): JobAddress {
    return this.#address;
  }
}

/** A reason of at most 1 kB in UTF-8, which ends with a whole character. */
export function shortened(reason: string): string {
  const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(1024));
  return reason.slice(0, read);
}
