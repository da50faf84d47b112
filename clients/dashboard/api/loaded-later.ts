import { signal } from '@preact/signals';

/** After a failure. Milliseconds. */
const AGAIN = 2000;

/** Code that a page loads when it is needed, or earlier; after a failure it is loaded again. */
export class LoadedLater<Module> {
  readonly #import: () => Promise<Module>;
  readonly #module = signal<Module | undefined>(undefined);
  #isAsked = false;

  constructor(load: () => Promise<Module>) {
    this.#import = load;
  }

  /** Undefined until the module is loaded; components that read it are then rendered again. */
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
