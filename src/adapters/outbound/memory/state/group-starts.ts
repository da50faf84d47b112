import { SHARE_WINDOW } from '../../../../domain/groups/group.ts';

const MINUTE = 60_000;

interface StartsOfMinute {
  readonly ofGroups: Map<string, number>;
  total: number;
}

/** How many jobs of each group started lately, by the minute. */
export class GroupStarts {
  readonly #byMinute = new Map<number, StartsOfMinute>();

  count(id: string, now: number): void {
    const minute = Math.floor(now / MINUTE);
    for (const each of this.#byMinute.keys()) {
      if (each <= minute - SHARE_WINDOW / MINUTE) this.#byMinute.delete(each);
    }
    const starts = this.#byMinute.get(minute) ?? { ofGroups: new Map<string, number>(), total: 0 };
    this.#byMinute.set(minute, starts);
    starts.ofGroups.set(id, (starts.ofGroups.get(id) ?? 0) + 1);
    starts.total += 1;
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
