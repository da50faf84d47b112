import type { ChildEnding } from '../../../../domain/flows/family.ts';

/** How a child ended for its parent, as it is written. */
export interface WrittenEnd {
  readonly state: ChildEnding;
  /** JSON. */
  readonly returnvalue: string;
}

const NOTHING = 'null';

/** How a child ended for its parent. What it returned may be on a disk alone. */
export class ChildEnd implements WrittenEnd {
  readonly state: ChildEnding;
  /** How many characters its return value has as JSON. */
  readonly length: number;
  #returnvalue: string | undefined;

  constructor({ state, returnvalue }: WrittenEnd) {
    this.state = state;
    this.length = returnvalue.length;
    this.#returnvalue = returnvalue;
  }

  /** The same with its return value on a disk. */
  static onDisk(written: WrittenEnd): ChildEnd {
    const end = new ChildEnd(written);
    end.shrink();
    return end;
  }

  /** Whether all of it is in memory. */
  get isWhole(): boolean {
    return this.#returnvalue !== undefined;
  }

  /** @throws Error when it is not in memory. */
  get returnvalue(): string {
    if (this.#returnvalue === undefined) throw new Error('A return value is not in memory');
    return this.#returnvalue;
  }

  /** Keeps what others need of it: the rest is on a disk. */
  shrink(): void {
    if (this.#returnvalue !== NOTHING) this.#returnvalue = undefined;
  }

  /** Takes back what was on a disk. */
  complete(returnvalue: string): void {
    this.#returnvalue = returnvalue;
  }

  /** The same without its return value; itself where it has none. */
  redacted(): ChildEnd {
    if (this.#returnvalue === NOTHING) return this;
    return new ChildEnd({ state: this.state, returnvalue: NOTHING });
  }
}
