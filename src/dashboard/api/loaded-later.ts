import { signal } from '@preact/signals';

/** After a failure. Milliseconds. */
const AGAIN = 2000;

/** Code that a page loads once it is needed, or before; after a failure it is loaded again. */
export class LoadedLater<Module> {
  readonly #import: () => Promise<Module>;
  readonly #module = signal<Module | undefined>(undefined);
  #isAsked = false;

  constructor(load: () => Promise<Module>) {
    this.#import = load;
  }

  /** Undefined until it is there; whatever reads it is drawn again then. */
  get value(): Module | undefined {
    this.load();
    return this.#module.value;
  }

  load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#import().then(
      (loaded) => {
        this.#module.value = loaded;
      },
      () => {
        setTimeout(() => {
          this.#isAsked = false;
          this.load();
        }, AGAIN);
      },
    );
  }
}
