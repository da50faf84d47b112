import { KNOWN_CHANGES } from '../../../shared/known-changes.ts';

/** The latest changes of the records of a kind: KNOWN_CHANGES at least, and twice as many at most. */
export class RecentChanges {
  #ids: string[] = [];
  /** How many changes there were before. */
  #earlier = 0;

  note(id: string): void {
    this.#ids.push(id);
    if (this.#ids.length < 2 * KNOWN_CHANGES) return;
    this.#ids = this.#ids.slice(KNOWN_CHANGES);
    this.#earlier += KNOWN_CHANGES;
  }

  /** The number of all changes; empty before the first. */
  get version(): string {
    return String(this.#earlier + this.#ids.length || '');
  }

  /** The ids of the records that changed since a version; undefined when that is not known. */
  since(version: string | undefined): readonly string[] | undefined {
    const place = Number(version ?? NaN) - this.#earlier;
    const isKnown = place >= 0 && place <= this.#ids.length;
    return isKnown ? [...new Set(this.#ids.slice(place))] : undefined;
  }
}
