import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Startable } from '../../application/running/startable.ts';
import { isClockStep, setBy } from '../../adapters/shared/clock-step.ts';
import type { SystemClock } from '../system-clock.ts';

/** How often (ms) the clock is compared with one that cannot be set. */
const INTERVAL = 1000;

/**
 * Notices when the clock of this machine is set, as by NTP or when a virtual machine is resumed: it says so in the log,
 * and ends all sleeps, since each may have been until a time that is over or farther away now.
 */
export class ClockWatch implements Startable {
  readonly name = 'clock';
  readonly #clock: SystemClock;
  readonly #logger: LoggerPort;
  #ahead = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: SystemClock, logger: LoggerPort) {
    this.#clock = clock;
    this.#logger = logger;
  }

  start(): Promise<void> {
    this.#ahead = this.#aheadNow();
    this.#timer ??= setInterval(() => {
      this.#compare();
    }, INTERVAL).unref();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    clearInterval(this.#timer);
    return Promise.resolve();
  }

  #compare(): void {
    const ahead = this.#aheadNow();
    const step = ahead - this.#ahead;
    this.#ahead = ahead;
    if (!isClockStep(step)) return;
    this.#logger.warn(`The clock of this machine was ${setBy(step)}`);
    this.#clock.endSleeps();
  }

  /** Milliseconds by which the clock is ahead of the monotonic one. */
  #aheadNow(): number {
    return this.#clock.now() - performance.now();
  }
}
