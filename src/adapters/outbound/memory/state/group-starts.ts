import { SHARE_WINDOW } from '../../../../domain/groups/group.ts';

const MINUTE = 60_000;

/** How many jobs of each group started lately, by the minute. */
export class GroupStarts {
  readonly #byMinute = new Map<number, Map<string, number>>();

  count(id: string, now: number): void {
    const minute = Math.floor(now / MINUTE);
    for (const each of this.#byMinute.keys()) {
      if (each <= minute - SHARE_WINDOW / MINUTE) this.#byMinute.delete(each);
    }
    const counts = this.#byMinute.get(minute) ?? new Map<string, number>();
    this.#byMinute.set(minute, counts);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }

  /** The part of each group in the starts within the window of shares; empty without starts. */
  shares(now: number): ReadonlyMap<string, number> {
    const first = Math.floor(now / MINUTE) - SHARE_WINDOW / MINUTE;
    const starts = new Map<string, number>();
    let total = 0;
    for (const [minute, counts] of this.#byMinute) {
      if (minute <= first) continue;
      for (const [id, count] of counts) {
        starts.set(id, (starts.get(id) ?? 0) + count);
        total += count;
      }
    }
    return new Map([...starts].map(([id, count]) => [id, count / total]));
  }
}
