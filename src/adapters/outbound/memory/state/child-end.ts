import type { ChildEnding } from '../../../../domain/flows/family.ts';
import { LeavingValue } from './leaving-value.ts';

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

/** How a child ended for its parent, with what it returned, as JSON, which may be on a disk alone. */
export class ChildEnd extends LeavingValue<string> {
  readonly state: ChildEnding;
  readonly length: number;

  constructor({ state, returnvalue, length = returnvalue?.length ?? 0 }: WrittenEnd) {
    super(returnvalue);
    this.state = state;
    this.length = length;
  }

  /** The same with its return value on a disk. */
  static onDisk(written: WrittenEnd): ChildEnd {
    const end = new ChildEnd(written);
    end.shrink();
    return end;
  }

  /** As the record of the child has it. @throws Error when it is not in memory. */
  get written(): WrittenEnd {
    const { state, length } = this;
    return this.isLong ? { state, length } : { state, returnvalue: this.value };
  }

  /** Whether its return value is in a record of its own. */
  get isLong(): boolean {
    return this.length > MOST_INLINE;
  }

  override shrink(): void {
    if (!this.isWhole || this.value !== NOTHING) super.shrink();
  }

  /** The same without its return value; itself where it has none. */
  redacted(): ChildEnd {
    if (this.isWhole && this.value === NOTHING) return this;
    return new ChildEnd({ state: this.state, returnvalue: NOTHING });
  }
}
