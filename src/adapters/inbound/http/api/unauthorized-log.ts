import type { LoggerPort } from '../../../../application/ports/logger-port.ts';

/** Shortest time between two lines, in milliseconds. */
const INTERVAL = 10_000;

/**
 * Counts the requests without a valid token, which anyone can send at any rate: the first is logged at once, later ones
 * in one line at intervals, with the number for each path pattern.
 */
export class UnauthorizedLog {
  readonly #logger: LoggerPort;
  #counts = new Map<string, number>();
  #waiting = false;

  constructor(logger: LoggerPort) {
    this.#logger = logger;
  }

  add(route: string): void {
    this.#counts.set(route, (this.#counts.get(route) ?? 0) + 1);
    if (!this.#waiting) this.#log();
  }

  #log(): void {
    const routes = Object.fromEntries(this.#counts);
    const count = [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
    this.#counts = new Map();
    this.#logger.warn('Requests without a valid token were refused', { count, routes });
    this.#waiting = true;
    setTimeout(() => {
      this.#waiting = false;
      if (this.#counts.size > 0) this.#log();
    }, INTERVAL).unref();
  }
}
