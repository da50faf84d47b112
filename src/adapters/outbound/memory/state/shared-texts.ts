/** The most texts that are shared. */
const MOST = 1000;

/** Texts that many records have, such as the names of jobs: each takes memory once. */
export class SharedTexts {
  readonly #texts = new Map<string, string>();

  /** @returns the same text, of which there is one copy unless there are many others. */
  of(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < MOST) this.#texts.set(text, text);
    return text;
  }
}
