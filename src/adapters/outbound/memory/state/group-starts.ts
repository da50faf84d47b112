import { SHARE_WINDOW } from '../../../../domain/groups/group.ts';

const MINUTE = 60_000;

/** The latest starts of one group: how many in which minute (since the epoch). */
export type StartsRecord = readonly (readonly [minute: number, starts: number])[];

interface StartsOfMinute {
  readonly ofGroups: Map<string, number>;
  total: number;
}

/** How many jobs of each group started lately, by the minute. */
export class GroupStarts {
  readonly #byMinute = new Map<number, StartsOfMinute>();
  readonly #changed: (id: string) => void;

  /** @param changed receives each group whose starts change. */
  constructor(changed: (id: string) => void) {
    this.#changed = changed;
  }

  count(id: string, now: number): void {
    const minute = Math.floor(now / MINUTE);
    for (const [each, { ofGroups }] of this.#byMinute) {
      if (each > minute - SHARE_WINDOW / MINUTE) continue;
      this.#byMinute.delete(each);
      for (const group of ofGroups.keys()) this.#changed(group);
    }
    this.#add(id, minute, 1);
    this.#changed(id);
  }

  record(id: string): StartsRecord | undefined {
    const starts = [...this.#byMinute].flatMap(([minute, { ofGroups }]) => {
      const count = ofGroups.get(id);
      return count === undefined ? [] : [[minute, count] as const];
    });
    return starts.length > 0 ? starts : undefined;
  }

  /** Takes a record as it was written; undefined when it is gone. */
  replace(id: string, record: StartsRecord = []): void {
    for (const starts of this.#byMinute.values()) {
      starts.total -= starts.ofGroups.get(id) ?? 0;
      starts.ofGroups.delete(id);
    }
    for (const [minute, starts] of record) this.#add(id, minute, starts);
  }

  /** Forgets the starts of the groups that are meant. */
  forget(isMeant: (id: string) => boolean): void {
    for (const id of this.recorded) {
      if (!isMeant(id)) continue;
      this.replace(id, undefined);
      this.#changed(id);
    }
  }

  /** The groups that have a record. */
  get recorded(): ReadonlySet<string> {
    return new Set([...this.#byMinute.values()].flatMap(({ ofGroups }) => [...ofGroups.keys()]));
  }

  #add(id: string, minute: number, count: number): void {
    const starts = this.#byMinute.get(minute) ?? { ofGroups: new Map<string, number>(), total: 0 };
    this.#byMinute.set(minute, starts);
    starts.ofGroups.set(id, (starts.ofGroups.get(id) ?? 0) + count);
    starts.total += count;
  }

  /** The part of the group in the starts within the window of shares; 0 without starts. */
  share(id: string, now: number): number {
    const first = Math.floor(now / MINUTE) - SHARE_WINDOW / MINUTE;
    let [ofGroup, total] = [0, 0];
    for (const [minute, starts] of this.#byMinute) {
      if (minute <= first) continue;
      ofGroup += starts.ofGroups.get(id) ?? 0;
      total += starts.total;
    }
    return total === 0 ? 0 : ofGroup / total;
  }
}
