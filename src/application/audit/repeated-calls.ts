import type { AuditEntry } from '../../domain/audit/audit-entry.ts';
import type { ClockPort } from '../ports/clock-port.ts';

/** How many calls of a token with the same outcome get their own entries within a period. */
export const OWN_ENTRIES = 1000;

/** Milliseconds. */
const PERIOD = 3_600_000;

/** How often (ms) a collective entry is written. */
const WRITE_INTERVAL = 1000;

interface Repetition {
  readonly since: number;
  calls: number;
  /** The collective entry of the calls without an entry of their own, as of the last of them. */
  shared: AuditEntry | undefined;
  writtenAt: number;
  /** Whether the collective entry will be written at the end of the interval. */
  isDue: boolean;
}

/**
 * Keeps the calls that a token can repeat without end from displacing all other entries of the audit: beyond a limit,
 * those with the same outcome share an entry.
 */
export class RepeatedCalls {
  readonly #clock: ClockPort;
  readonly #save: (entry: AuditEntry) => Promise<void>;
  readonly #repetitions = new Map<string, Repetition>();

  /** @param save of a collective entry, which never rejects. */
  constructor(clock: ClockPort, save: (entry: AuditEntry) => Promise<void>) {
    this.#clock = clock;
    this.#save = save;
  }

  /**
   * The entry for such a call; undefined when the collective entry was written recently. Then it is saved with the
   * count of all calls at the end of the interval.
   */
  entryFor(entry: AuditEntry): AuditEntry | undefined {
    const repetition = this.#repetitionOf(entry);
    repetition.calls += 1;
    if (repetition.calls <= OWN_ENTRIES) return entry;
    const first = repetition.shared ?? { ...entry, action: 'request.repeated', target: {} };
    const detail = { [entry.outcome]: repetition.calls - OWN_ENTRIES };
    const shared = { ...first, latest: entry.action, code: entry.code ?? null, detail };
    repetition.shared = shared;
    const wait = repetition.writtenAt + WRITE_INTERVAL - entry.at;
    if (wait > 0) {
      if (!repetition.isDue) void this.#saveAfter(wait, repetition);
      return undefined;
    }
    repetition.writtenAt = entry.at;
    return shared;
  }

  async #saveAfter(wait: number, repetition: Repetition): Promise<void> {
    repetition.isDue = true;
    await this.#clock.sleep(wait);
    repetition.isDue = false;
    repetition.writtenAt = this.#clock.now();
    if (repetition.shared !== undefined) await this.#save(repetition.shared);
  }

  /** By the id of the token, since its name can be changed. */
  #repetitionOf({ who: { id }, outcome, at }: AuditEntry): Repetition {
    const key = `${outcome} ${id}`;
    const known = this.#repetitions.get(key);
    if (known !== undefined && at - known.since < PERIOD) return known;
    for (const [other, { since }] of this.#repetitions) {
      if (at - since >= PERIOD) this.#repetitions.delete(other);
    }
    const repetition = {
      since: at,
      calls: 0,
      shared: undefined,
      writtenAt: -Infinity,
      isDue: false,
    };
    this.#repetitions.set(key, repetition);
    return repetition;
  }
}
