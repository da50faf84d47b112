import { LogThrottle } from '../../../../application/running/log-throttle.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { LogFields, LoggerPort } from '../../../../application/ports/logger-port.ts';

/** The most causes that are remembered. A store has some dozens of ways to fail. */
const MOST_CAUSES = 100;

const LONGEST_MESSAGE = 200;

/** Logs every distinct cause of failures at once and then at growing intervals, with the number of failures. */
export class FailureLog {
  readonly #line: string;
  readonly #logger: LoggerPort;
  readonly #clock: ClockPort;
  readonly #causes = new Map<string, LogThrottle>();

  /** @param line the message of the log lines. */
  constructor(line: string, logger: LoggerPort, clock: ClockPort) {
    this.#line = line;
    this.#logger = logger;
    this.#clock = clock;
  }

  /** @param fields distinguish causes with the same message. */
  note(error: unknown, fields: LogFields = {}): void {
    const message = publicMessage(error);
    const name = [...Object.values(fields), message].join(' ').replace(VARIABLE_PART, '#');
    const failures = this.#cause(name).note(this.#clock.now());
    if (failures > 0) this.#logger.warn(this.#line, { ...fields, error: { message }, failures });
  }

  #cause(name: string): LogThrottle {
    const known = this.#causes.get(name);
    if (known !== undefined) return known;
    if (this.#causes.size === MOST_CAUSES) this.#forgetOldest();
    const cause = new LogThrottle();
    this.#causes.set(name, cause);
    return cause;
  }

  #forgetOldest(): void {
    for (const name of this.#causes.keys()) {
      this.#causes.delete(name);
      return;
    }
  }
}

/** Digests of scripts, ports, slots and the like, which may differ although the cause is the same. */
const VARIABLE_PART = /[0-9a-f]{40}|\d+/g;

/** The message of the store without the arguments that it repeats, which include job data and tokens. */
export function publicMessage(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replace(/,? with args beginning with.*/s, '').slice(0, LONGEST_MESSAGE);
}
