import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { BEHIND } from '../../../../domain/system/system.ts';
import type { Database } from '../driver/database.ts';
import { isAway } from '../driver/watched-database.ts';

/** How long (ms) a lag is reported after its end: nobody can read a report while the replica is behind. */
const REPORTED_FOR = 60_000;

/** A time at which the replica was behind. */
interface PastLag {
  readonly ms: number;
  readonly endedAt: number;
}

/** For how long the memory of a replica has lacked rounds that others may have committed. */
export class LogLag {
  readonly #database: Pick<Database, 'query'>;
  readonly #logger: LoggerPort;
  /** When the memory last had all rounds; later while the server is away, and undefined before the start. */
  #currentAt: number | undefined;
  #past: PastLag[] = [];
  #isLogged = false;

  constructor(database: Pick<Database, 'query'>, logger: LoggerPort) {
    this.#database = database;
    this.#logger = logger;
  }

  /** The lag now, in ms. About a second is usual: so often the log is read when nothing happens. */
  get ms(): number {
    return this.#lagAt(performance.now());
  }

  /** The largest lag within the last minute, in ms. */
  get most(): number {
    this.#forget();
    return Math.max(this.ms, ...this.#past.map(({ ms }) => ms));
  }

  /** @param at when the memory had all rounds, as `performance.now()` has it. */
  caughtUp(at: number): void {
    const lag = this.#lagAt(at);
    this.#currentAt = at;
    if (lag < BEHIND) return;
    this.#forget();
    this.#past.push({ ms: lag, endedAt: at });
    if (this.#isLogged) this.#logger.info('This replica has caught up with the log', { lag });
    this.#isLogged = false;
  }

  /** Writes a line to the log once the replica is behind. To be called once a second at least. Never rejects. */
  async watch(): Promise<void> {
    if (!this.#isToBeLogged()) return;
    try {
      await this.#database.query('SELECT 1');
    } catch (error) {
      // Others report that the server is away.
      if (isAway(error)) this.#currentAt = performance.now();
      return;
    }
    if (!this.#isToBeLogged()) return;
    this.#isLogged = true;
    this.#logger.warn('This replica is behind the log', { lag: this.ms });
  }

  #isToBeLogged(): boolean {
    return this.ms >= BEHIND && !this.#isLogged;
  }

  #lagAt(now: number): number {
    return Math.round(now - (this.#currentAt ?? now));
  }

  #forget(): void {
    const since = performance.now() - REPORTED_FOR;
    this.#past = this.#past.filter(({ endedAt }) => endedAt > since);
  }
}
