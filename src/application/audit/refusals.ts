import type { AuditEntry } from '../../domain/audit/audit-entry.ts';

/** How many refusals of one name are entries of their own within a period. */
export const OWN_REFUSALS = 1000;

/** Milliseconds. */
const PERIOD = 3_600_000;

/** How often (ms) an entry that stands for many is written. */
const WRITE_INTERVAL = 1000;

interface RefusedName {
  readonly since: number;
  refusals: number;
  /** Stands for those that are no entries of their own. */
  shared: AuditEntry | undefined;
  writtenAt: number;
}

/** Keeps a flood of refused calls from pushing all other entries out of the audit: beyond some they share one. */
export class Refusals {
  readonly #names = new Map<string, RefusedName>();

  /** The entry that stands for a refused call; undefined where that was written a moment ago. */
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
