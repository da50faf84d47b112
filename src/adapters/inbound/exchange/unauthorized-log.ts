import type { LoggerPort } from '../../../application/ports/logger-port.ts';

/** The shortest time between two lines, in milliseconds. */
const INTERVAL = 10_000;

/** The most addresses that a line names. */
const MOST_ADDRESSES = 20;

/**
 * Counts the requests without a valid token, which anyone can send at any rate: the first is logged at once, later ones
 * in one line per interval, with counts by path pattern and by address.
 */
export class UnauthorizedLog {
  readonly #logger: LoggerPort;
  #routes = new Map<string, number>();
  #addresses = new Map<string, number>();
  #waiting = false;

  constructor(logger: LoggerPort) {
    this.#logger = logger;
  }

  /** @param address of the client, or of the proxy in front of the service. */
  add(route: string, address = 'unknown'): void {
    increment(this.#routes, route);
    const isNamed = this.#addresses.has(address) || this.#addresses.size < MOST_ADDRESSES;
    increment(this.#addresses, isNamed ? address : 'other');
    if (!this.#waiting) this.#log();
  }

  #log(): void {
    const routes = Object.fromEntries(this.#routes);
    const addresses = Object.fromEntries(this.#addresses);
    const count = [...this.#routes.values()].reduce((sum, each) => sum + each, 0);
    this.#routes = new Map();
    this.#addresses = new Map();
    this.#logger.warn('Requests without a valid token were refused', { count, routes, addresses });
    this.#waiting = true;
    setTimeout(() => {
      this.#waiting = false;
      if (this.#routes.size > 0) this.#log();
    }, INTERVAL).unref();
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
