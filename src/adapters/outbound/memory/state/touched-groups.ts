/** How many ids are kept at most. */
const MOST_KEPT = 100_000;

/** The ids of groups of a queue whose numbers of waiting jobs have changed since the ids were last taken. */
export class TouchedGroups {
  readonly #ids = new Set<string>();
  /** False once an id found no room. */
  isComplete = true;

  note(id: string): void {
    if (this.#ids.size < MOST_KEPT) this.#ids.add(id);
    else if (!this.#ids.has(id)) this.isComplete = false;
  }

  /** Takes so many ids at most, those first that were noted first. */
  take(most: number): readonly string[] {
    const taken: string[] = [];
    for (const id of this.#ids) {
      if (taken.length === most) break;
      this.#ids.delete(id);
      taken.push(id);
    }
    return taken;
  }
}
