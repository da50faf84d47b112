import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { isAway } from '../driver/watched-database.ts';
import type { SharedLog } from './shared-log.ts';

/** Folds the log again and again, and reports when that fails: the log would grow without end. */
export class Folding {
  readonly #log: Pick<SharedLog, 'fold'>;
  readonly #logger: LoggerPort;
  readonly #folded: (round: number) => unknown;
  #isFailing = false;

  /** @param folded receives the folded round after each folding. Folding waits for a promise that it returns. */
  constructor(
    log: Pick<SharedLog, 'fold'>,
    logger: LoggerPort,
    folded: (round: number) => unknown,
  ) {
    this.#log = log;
    this.#logger = logger;
    this.#folded = folded;
  }

  /** Whether the server refused the last folding. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Folds a part of the log. Never rejects. */
  async fold(): Promise<void> {
    try {
      await this.#folded(await this.#log.fold());
      if (this.#isFailing) this.#logger.info('The log is folded again');
      this.#isFailing = false;
    } catch (error) {
      // Others report that the server cannot be reached.
      if (isAway(error)) {
        this.#logger.debug('The log could not be folded', { error });
        return;
      }
      if (!this.#isFailing) this.#logger.error('The log cannot be folded and grows', { error });
      this.#isFailing = true;
    }
  }
}
