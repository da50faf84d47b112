import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import { DomainError } from '../../../domain/errors.ts';

/** How old (ms) a value may be before it is read again. */
const FRESH = 600_000;

/** How long (ms) an issuer is left alone after a failed read; each further failure doubles it, up to the maximum. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

/** How long (ms) an issuer has to answer. */
export const ISSUER_TIMEOUT = 5000;

export interface IssuerReadingOptions<Value> {
  readonly issuer: string;
  /** What is read, for the log. */
  readonly what: string;
  /** @param signal ends the read. */
  readonly read: (signal: AbortSignal) => Promise<Value>;
  readonly clock: ClockPort;
  readonly logger: LoggerPort;
}

/**
 * A value that an issuer publishes. Once it is known nobody waits for the issuer: a value that has become old stays in
 * use while it is read again, and while the issuer cannot be reached.
 */
export class IssuerReading<Value> {
  readonly #options: IssuerReadingOptions<Value>;
  #latest: { readonly value: Value; readonly at: number } | undefined;
  #failures = 0;
  #pausedUntil = -Infinity;
  #reading: Promise<Value> | undefined;

  constructor(options: IssuerReadingOptions<Value>) {
    this.#options = options;
  }

  /** @throws DomainError `issuer-unavailable` when no value is known. */
  async current(): Promise<Value> {
    if (this.#latest === undefined) return this.again();
    // A failure is logged where it happens, and nobody depends on the read.
    if (this.age >= FRESH) this.again().catch(() => undefined);
    return this.#latest.value;
  }

  /** The age (ms) of the value. */
  get age(): number {
    return this.#options.clock.now() - (this.#latest?.at ?? -Infinity);
  }

  /** Callers that come in the meantime share the same read. @throws DomainError `issuer-unavailable`. */
  async again(): Promise<Value> {
    const { clock } = this.#options;
    if (this.#reading === undefined && clock.now() < this.#pausedUntil) throw issuerUnavailable();
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readNow(): Promise<Value> {
    const { clock, read } = this.#options;
    try {
      const value = await read(AbortSignal.timeout(ISSUER_TIMEOUT));
      this.#latest = { value, at: clock.now() };
      this.#failures = 0;
      return value;
    } catch (error) {
      this.#pause(error);
      throw issuerUnavailable(error);
    }
  }

  #pause(error: unknown): void {
    const { clock, logger, issuer, what } = this.#options;
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#failures, LONGEST_PAUSE);
    this.#failures += 1;
    this.#pausedUntil = clock.now() + pause;
    const inUse = this.#latest === undefined ? 'none' : 'the last ones';
    logger.warn(`The ${what} of an issuer cannot be read`, {
      ...{ issuer, inUse, nextReadIn: pause, error },
    });
  }
}

export function issuerUnavailable(cause?: unknown): DomainError {
  const message = 'The issuer cannot be reached, try again later';
  return new DomainError('issuer-unavailable', message, { cause });
}
