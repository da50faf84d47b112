import { folderOf } from '../../../../application/kept/collection.ts';

const NONE: ReadonlySet<string> = new Set();

/** The ids of records by their folders. */
export class RecordFolders {
  readonly #ids = new Map<string, Set<string>>();

  get size(): number {
    return this.#ids.size;
  }

  /** The ids of a folder. */
  of(folder: string): ReadonlySet<string> {
    return this.#ids.get(folder) ?? NONE;
  }

  /** @param isThere whether there is a record of that id from now on. */
  note(id: string, isThere: boolean): void {
    const folder = folderOf(id);
    const ids = this.#ids.get(folder) ?? new Set();
    if (isThere) this.#ids.set(folder, ids.add(id));
    else if (ids.delete(id) && ids.size === 0) this.#ids.delete(folder);
  }
}
