import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { LogFields, LoggerPort } from '../../../../application/ports/logger-port.ts';

/** Pause between the first two lines about one cause, in milliseconds; each further pause is twice as long. */
const FIRST_PAUSE = 10_000;

/** Longest pause between two lines about one cause. One that stays away for as long is new again. */
const LONGEST_PAUSE = 600_000;

/** Most causes that are remembered. A store has some dozens of ways to fail. */
const MOST_CAUSES = 100;

const LONGEST_MESSAGE = 200;

interface Cause {
  pause: number;
  logAt: number;
  lastSeen: number;
  /** Failures since the last line. */
  failures: number;
}

/** Logs every distinct cause of failures at once and then at growing intervals, with their number. */
export class FailureLog {
  readonly #line: string;
  readonly #logger: LoggerPort;
  readonly #clock: ClockPort;
  readonly #causes = new Map<string, Cause>();

  /** @param line the message of the log lines. */
  constructor(line: string, logger: LoggerPort, clock: ClockPort) {
    this.#line = line;
    this.#logger = logger;
    this.#clock = clock;
  }

  /** @param fields what tells causes of the same words apart. */
  note(error: unknown, fields: LogFields = {}): void {
    const message = publicMessage(error);
    const now = this.#clock.now();
    const name = [...Object.values(fields), message].join(' ').replace(VARIABLE_PART, '#');
    const cause = this.#cause(name, now);
    cause.failures += 1;
    cause.lastSeen = now;
    if (now < cause.logAt) return;
    this.#logger.warn(this.#line, { ...fields, error: { message }, failures: cause.failures });
    cause.failures = 0;
    cause.logAt = now + cause.pause;
    cause.pause = Math.min(cause.pause * 2, LONGEST_PAUSE);
  }

  #cause(name: string, now: number): Cause {
    const known = this.#causes.get(name);
    if (known !== undefined && now - known.lastSeen < LONGEST_PAUSE) return known;
    if (known === undefined && this.#causes.size === MOST_CAUSES) this.#forgetOldest();
    const cause = { pause: FIRST_PAUSE, logAt: now, lastSeen: now, failures: 0 };
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

/** Digests of scripts, ports, slots and the like, which differ where the cause is the same. */
const VARIABLE_PART = /[0-9a-f]{40}|\d+/g;

/** What the store said, without what it repeats of the arguments: job data and tokens are among them. */
export function publicMessage(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replace(/,? with args beginning with.*/s, '').slice(0, LONGEST_MESSAGE);
}
