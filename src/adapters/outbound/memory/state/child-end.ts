import type { ChildEnding } from '../../../../domain/flows/family.ts';

/**
 * How a child ended for its parent, as it is written: with what it returned, as JSON, or with its length (characters)
 * where that is in a record of its own.
 */
export interface WrittenEnd {
  readonly state: ChildEnding;
  readonly returnvalue?: string;
  readonly length?: number;
}

/** The record of a long return value. */
export interface WrittenReturn {
  readonly returnvalue: string;
}

const NOTHING = 'null';

/** Characters of a return value that the record of a child has at most: a start reads that record. */
const MOST_INLINE = 1000;

/** How a child ended for its parent. What it returned may be on a disk alone. */
export class ChildEnd {
  readonly state: ChildEnding;
  /** How many characters its return value has as JSON. */
  readonly length: number;
  #returnvalue: string | undefined;

  constructor({ state, returnvalue, length = returnvalue?.length ?? 0 }: WrittenEnd) {
    this.state = state;
    this.length = length;
    this.#returnvalue = returnvalue;
  }

  /** The same with its return value on a disk. */
  static onDisk(written: WrittenEnd): ChildEnd {
    const end = new ChildEnd(written);
    end.shrink();
    return end;
  }

  /** As the record of the child has it. @throws Error when it is not in memory. */
  get written(): WrittenEnd {
    const { state, length, returnvalue } = this;
    return this.isLong ? { state, length } : { state, returnvalue };
  }

  /** Whether its return value is in a record of its own. */
  get isLong(): boolean {
    return this.length > MOST_INLINE;
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
