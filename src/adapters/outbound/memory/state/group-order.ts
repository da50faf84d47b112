import type { GroupOrder } from '../../../../domain/transitions/groups-state.ts';
import type { StoredGroup } from './stored-group.ts';
import { SortedTree } from './sorted-tree.ts';

/** The place of a group in an order. */
export interface Place {
  readonly time: number;
  /** How many places were given out before. */
  readonly number: number;
}

/** Some groups by a time: a virtual one, or epoch ms. Among equal times, the first group that was set comes first. */
export class StoredGroupOrder implements GroupOrder {
  readonly #places = new Map<StoredGroup, Place>();
  readonly #groups = new SortedTree<Place, StoredGroup>(undefined, (a, b) =>
    a.time === b.time ? a.number - b.number : a.time - b.time,
  );
  #placesGiven = 0;
  readonly #changed: (group: StoredGroup) => void;

  /** @param changed receives each group whose place changes. */
  constructor(changed: (group: StoredGroup) => void) {
    this.#changed = changed;
  }

  get size(): number {
    return this.#places.size;
  }

  has(group: StoredGroup): boolean {
    return this.#places.has(group);
  }

  timeOf(group: StoredGroup): number | undefined {
    return this.#places.get(group)?.time;
  }

  placeOf(group: StoredGroup): Place | undefined {
    return this.#places.get(group);
  }

  first(): StoredGroup | undefined {
    const place = this.#groups.minKey();
    return place && this.#groups.get(place);
  }

  firstTime(): number | undefined {
    return this.#groups.minKey()?.time;
  }

  after(time: number, most: number): readonly StoredGroup[] {
    const groups: StoredGroup[] = [];
    for (const group of this.#groups.values({ time, number: Infinity })) {
      if (groups.push(group) === most) break;
    }
    return groups;
  }

  /** Adds the group, or moves it. */
  set(group: StoredGroup, time: number): void {
    this.delete(group);
    this.restore(group, { time, number: this.#placesGiven + 1 });
    this.#changed(group);
  }

  /** Puts the group at a place that it had when its record was written. */
  restore(group: StoredGroup, place: Place): void {
    this.#placesGiven = Math.max(this.#placesGiven, place.number);
    this.#places.set(group, place);
    this.#groups.set(place, group);
  }

  /** @returns whether the group was there. */
  delete(group: StoredGroup): boolean {
    const place = this.#places.get(group);
    if (place === undefined) return false;
    this.#places.delete(group);
    // Records of other replicas are put here one after the other: another group may have taken the place.
    if (this.#groups.get(place) === group) this.#groups.delete(place);
    this.#changed(group);
    return true;
  }
}
