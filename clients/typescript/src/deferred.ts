import { JobgateError } from './errors.ts';
import { Reporter, type JobAddress } from './reporter.ts';

/** The data that transfers a deferral to another process. It is a secret. */
export interface DeferredAddress extends JobAddress {
  /** The other jobs of a batch. */
  readonly others?: readonly Pick<JobAddress, 'id' | 'token'>[];
}

/** How many jobs of a batch are reported on concurrently. */
const AT_ONCE = 10;

/** A job, or all jobs of a batch, to be completed later, here or in another process. Its JSON is a secret. */
export class Deferred {
  readonly #reporters: readonly Reporter[];
  readonly #address: DeferredAddress;

  /** @throws Error when the URL of the service is unknown. */
  constructor(reporters: readonly Reporter[]) {
    this.#reporters = reporters;
    const [first, ...rest] = reporters.map((reporter) => reporter.address()) as [
      JobAddress,
      ...JobAddress[],
    ];
    const others = rest.map(({ id, token }) => ({ id, token }));
    this.#address = { ...first, ...(others.length > 0 && { others }) };
  }

  static from(value: string | object): Deferred {
    const source: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    if (source instanceof Deferred) return source;
    const { url, queue, others = [], ...first } = source as DeferredAddress;
    return new Deferred(
      [first, ...others].map(({ id, token }) => {
        const address = { url, queue, id, token };
        for (const [name, text] of Object.entries(address)) {
          if (typeof text !== 'string') {
            throw new TypeError(`${name} of a deferred job must be a string`);
          }
        }
        return new Reporter(address);
      }),
    );
  }

  /** One deferral per job of a batch, in the order of the call. */
  get jobs(): readonly Deferred[] {
    return this.#reporters.map((reporter) => new Deferred([reporter]));
  }

  /** Sets what the start of the attempt counts in limiters, with the report that ends it: 0 to 1,000,000. */
  cost(cost: number): void {
    for (const reporter of this.#reporters) reporter.cost = cost;
  }

  async complete(value?: unknown): Promise<void> {
    await this.#forAll((reporter) => reporter.outcome('complete', value ?? null));
  }

  async fail(reason: string, options: { retry?: boolean; delay?: number } = {}): Promise<void> {
    const body = { reason: shortened(reason), ...options };
    await this.#forAll((reporter) => reporter.outcome('fail', body));
  }

  async extend(ms: number): Promise<{ until: number }> {
    const answers = await this.#forAll((reporter) => reporter.send('extend', { lock: ms }));
    return { until: Math.min(...answers.map((answer) => (answer as { until: number }).until)) };
  }

  async release(options: { delay?: number } = {}): Promise<void> {
    await this.#forAll((reporter) => reporter.outcome('release', options));
  }

  /** Saves steps of the job, and lets it rest. @param answer as of an answer 206. */
  async suspend(answer: unknown): Promise<void> {
    await this.#forAll((reporter) => reporter.outcome('suspend', answer));
  }

  async progress(value: unknown): Promise<void> {
    await this.#forAll(async (reporter) => {
      await reporter.progress(value);
      await reporter.flush();
    });
  }

  async log(text: string): Promise<void> {
    await this.#forAll((reporter) => reporter.log(text));
  }

  toJSON(): DeferredAddress {
    return this.#address;
  }

  #forAll<Result>(report: (reporter: Reporter) => Promise<Result>): Promise<Result[]> {
    return reportOnAll(this.#reporters, report);
  }
}

/**
 * Reports on all jobs of a call. Jobs that are no longer held are ignored as long as others are held, since a
 * cancellation ends only one job of a batch.
 */
export async function reportOnAll<Result>(
  reporters: readonly Reporter[],
  report: (reporter: Reporter) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const errors: unknown[] = [];
  for (let start = 0; start < reporters.length; start += AT_ONCE) {
    const reports = reporters.slice(start, start + AT_ONCE).map(report);
    for (const settled of await Promise.allSettled(reports)) {
      if (settled.status === 'fulfilled') results.push(settled.value);
      else errors.push(settled.reason);
    }
  }
  const isLost = (error: unknown): boolean => error instanceof JobgateError && error.status === 401;
  const [error] = errors.filter((one) => results.length === 0 || !isLost(one));
  if (error !== undefined) throw error as Error;
  return results;
}

/** Cuts a reason to 1 kB of UTF-8 at a character boundary. */
export function shortened(reason: string): string {
  const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(1024));
  return reason.slice(0, read);
}
