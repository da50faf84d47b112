import type { AuditEntry } from '../../domain/audit/audit-entry.ts';

/** How many calls of a token with the same outcome get their own entries within a period. */
export const OWN_ENTRIES = 1000;

/** Milliseconds. */
const PERIOD = 3_600_000;

/** How often (ms) a collective entry is written. */
const WRITE_INTERVAL = 1000;

interface Repetition {
  readonly since: number;
  calls: number;
  /** The collective entry of the calls without an entry of their own. */
  shared: AuditEntry | undefined;
  writtenAt: number;
}

/**
 * Keeps the calls that a token can repeat without end from displacing all other entries of the audit: beyond a limit,
 * those with the same outcome share an entry.
 */
export class RepeatedCalls {
  readonly #repetitions = new Map<string, Repetition>();

  /** The entry for such a call; undefined when the collective entry was written recently. */
  entryFor(entry: AuditEntry): AuditEntry | undefined {
    const repetition = this.#repetitionOf(entry);
    repetition.calls += 1;
    if (repetition.calls <= OWN_ENTRIES) return entry;
    repetition.shared ??= { ...entry, action: 'request.repeated', target: {} };
    if (entry.at - repetition.writtenAt < WRITE_INTERVAL) return undefined;
    repetition.writtenAt = entry.at;
    const detail = { [entry.outcome]: repetition.calls - OWN_ENTRIES };
    return { ...repetition.shared, latest: entry.action, code: entry.code ?? null, detail };
  }

  /** By the id of the token, since its name can be changed. */
  #repetitionOf({ who: { id }, outcome, at }: AuditEntry): Repetition {
    const key = `${outcome} ${id}`;
    const known = this.#repetitions.get(key);
    if (known !== undefined && at - known.since < PERIOD) return known;
    for (const [other, { since }] of this.#repetitions) {
      if (at - since >= PERIOD) this.#repetitions.delete(other);
    }
    const repetition = { since: at, calls: 0, shared: undefined, writtenAt: -Infinity };
    this.#repetitions.set(key, repetition);
    return repetition;
  }
}
