import type { AuditEntry } from '../../domain/audit/audit-entry.ts';

/** How many refusals by the same token get their own entries within a period. */
export const OWN_REFUSALS = 1000;

/** Milliseconds. */
const PERIOD = 3_600_000;

/** How often (ms) a collective entry is written. */
const WRITE_INTERVAL = 1000;

interface RefusedName {
  readonly since: number;
  refusals: number;
  /** The collective entry of the refusals without an entry of their own. */
  shared: AuditEntry | undefined;
  writtenAt: number;
}

/**
 * Keeps a flood of refused calls from displacing all other entries of the audit: beyond a limit, they share an entry.
 */
export class Refusals {
  readonly #names = new Map<string, RefusedName>();

  /** The entry for a refused call; undefined when the collective entry was written recently. */
  entryFor(entry: AuditEntry): AuditEntry | undefined {
    const refused = this.#refused(entry);
    refused.refusals += 1;
    if (refused.refusals <= OWN_REFUSALS) return entry;
    refused.shared ??= { ...entry, action: 'request.repeated', target: {} };
    if (entry.at - refused.writtenAt < WRITE_INTERVAL) return undefined;
    refused.writtenAt = entry.at;
    return { ...refused.shared, detail: { refused: refused.refusals - OWN_REFUSALS } };
  }

  #refused({ who: { name }, at }: AuditEntry): RefusedName {
    const known = this.#names.get(name);
    if (known !== undefined && at - known.since < PERIOD) return known;
    for (const [other, { since }] of this.#names) {
      if (at - since >= PERIOD) this.#names.delete(other);
    }
    const refused = { since: at, refusals: 0, shared: undefined, writtenAt: -Infinity };
    this.#names.set(name, refused);
    return refused;
  }
}
