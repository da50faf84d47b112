import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Startable } from '../../application/running/startable.ts';

/** The share of the shutdown time reserved for abandoning work that did not end by itself. */
const GIVING_UP_SHARE = 0.1;

/** Maximum time (ms) reserved for abandoning work. */
const LONGEST_GIVING_UP = 3000;

/**
 * Starts the parts of the service in order. For the shutdown, it drains all of them at once and then stops them in
 * reverse order, all within one deadline.
 */
export class Supervisor {
  readonly #parts: readonly Startable[];
  readonly #logger: LoggerPort;
  readonly #timeout: number;
  readonly #started: Startable[] = [];
  readonly #stopSignal = new AbortController();
  #starting: Promise<void> | undefined;
  #stopping: Promise<boolean> | undefined;

  /** @param timeout for stopping everything, in milliseconds (SHUTDOWN_TIMEOUT). */
  constructor(parts: readonly Startable[], logger: LoggerPort, timeout: number) {
    this.#parts = parts;
    this.#logger = logger;
    this.#timeout = timeout;
  }

  /**
   * @returns false when it was stopped in the meantime and has started only some of the parts.
   * @throws the error of a part that cannot start; the parts started before it are then stopped.
   */
  async start(): Promise<boolean> {
    this.#starting = this.#start();
    try {
      await this.#starting;
    } catch (error) {
      await this.stop();
      throw error;
    }
    return this.#stopping === undefined;
  }

  /**
   * @param isInterrupt whether someone at a terminal asks for it: parts that serve nobody at the moment do not wait for
   *   callers then.
   * @returns false when some work had to be abandoned. Calling it twice has the same effect as once.
   */
  stop(isInterrupt = false): Promise<boolean> {
    this.#stopping ??= this.#stop(isInterrupt);
    this.#stopSignal.abort();
    return this.#stopping;
  }

  async #start(): Promise<void> {
    for (const part of this.#parts) {
      if (this.#stopping !== undefined) return;
      this.#started.push(part);
      await part.start(this.#stopSignal.signal);
    }
  }

  async #stop(isInterrupt: boolean): Promise<boolean> {
    const deadline = new AbortController();
    const keep = Math.min(this.#timeout * GIVING_UP_SHARE, LONGEST_GIVING_UP);
    const timer = setTimeout(() => {
      deadline.abort();
    }, this.#timeout - keep);
    // A part that is starting is stopped once it has started; `start` reports why it could not.
    await this.#starting?.catch(() => undefined);
    await Promise.all(
      this.#started.map(async (part) => part.drain?.(deadline.signal, isInterrupt)),
    );
    let clean = true;
    for (const part of this.#started.toReversed()) {
      try {
        await part.stop(deadline.signal);
        this.#logger.debug('Stopped', { part: part.name });
      } catch (error) {
        clean = false;
        this.#logger.error('A part did not stop cleanly', { part: part.name, error });
      }
    }
    clearTimeout(timer);
    return clean;
  }
}
