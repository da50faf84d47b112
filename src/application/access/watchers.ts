/** Streams that end with what they depend on. */
export class Watchers<Holder> {
  readonly #all = new Set<{ readonly holder: Holder; readonly ended: () => void }>();

  /** Calls back once `end` finds that the holder is over. @returns a function that stops watching. */
  add(holder: Holder, ended: () => void): () => void {
    const watcher = { holder, ended };
    this.#all.add(watcher);
    return () => this.#all.delete(watcher);
  }

  get holders(): readonly Holder[] {
    return [...this.#all].map(({ holder }) => holder);
  }

  end(isOver: (holder: Holder) => boolean): void {
    for (const watcher of this.#all) {
      if (!isOver(watcher.holder)) continue;
      this.#all.delete(watcher);
      watcher.ended();
    }
  }
}
