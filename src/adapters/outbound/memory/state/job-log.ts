import { LeavingValue } from './leaving-value.ts';

/** Lines that a piece has at most. */
const MOST_LINES = 100;

/** Characters after which a piece takes no further lines: each line writes all of its piece again. */
const MOST_CHARACTERS = 16_384;

/** The log of a job as its record has it: the number of each piece with the count of its lines, the oldest first. */
export interface WrittenLog {
  /** Lines of the first piece that do not count any more. */
  readonly skipped: number;
  readonly pieces: readonly (readonly [number: number, lines: number])[];
}

/** A piece of a log as it is written. */
export interface WrittenLogPiece {
  readonly lines: readonly string[];
}

/** A piece of the log of a job. Its lines may be on a disk alone. */
export class LogPiece extends LeavingValue<string[]> {
  readonly number: number;
  count: number;
  /** That of the lines that were added in memory. */
  length = 0;

  /** @param count of the lines that are on a disk. */
  constructor(number: number, count?: number) {
    super(count === undefined ? [] : undefined);
    this.number = number;
    this.count = count ?? 0;
  }

  takes(line: string): boolean {
    const fits = this.count < MOST_LINES && this.length + line.length <= MOST_CHARACTERS;
    return this.isWhole && (fits || this.count === 0);
  }

  add(line: string): void {
    this.value.push(line);
    this.count += 1;
    this.length += line.length;
  }
}

/** Some lines of a piece. */
export interface PartOfLog {
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** The log of a job, in pieces of bounded size, so that a line costs the same however long the log is. */
export class JobLog {
  #pieces: readonly LogPiece[] = [];
  #skipped = 0;
  /** How many lines it has. */
  count = 0;

  static of(lines: readonly string[]): JobLog {
    const log = new JobLog();
    for (const line of lines) log.add(line, Infinity);
    return log;
  }

  /** A log as it was written, with its lines on a disk. */
  static restored({ skipped, pieces }: WrittenLog): JobLog {
    const log = new JobLog();
    log.#pieces = pieces.map(([number, count]) => new LogPiece(number, count));
    log.#skipped = skipped;
    log.count = log.#pieces.reduce((sum, { count }) => sum + count, -skipped);
    return log;
  }

  get written(): WrittenLog {
    return {
      skipped: this.#skipped,
      pieces: this.#pieces.map(({ number, count }) => [number, count] as const),
    };
  }

  get pieces(): readonly LogPiece[] {
    return this.#pieces;
  }

  piece(number: number): LogPiece | undefined {
    return this.#pieces[number - (this.#pieces[0]?.number ?? 0)];
  }

  /** Adds a line, and keeps the last `most`. @returns the pieces that changed, or went. */
  add(line: string, most: number): readonly LogPiece[] {
    const last = this.#pieces.at(-1);
    const piece = last?.takes(line) === true ? last : new LogPiece((last?.number ?? 0) + 1);
    piece.add(line);
    if (piece !== last) this.#pieces = [...this.#pieces, piece];
    this.count += 1;
    return [piece, ...this.#keepLast(most)];
  }

  /** The parts with the lines from `start` on, up to `length` of them. */
  parts(start: number, length: number): readonly PartOfLog[] {
    const [first, end] = [
      start + this.#skipped,
      Math.min(start + length, this.count) + this.#skipped,
    ];
    const parts: PartOfLog[] = [];
    let before = 0;
    for (const { number, count } of this.#pieces) {
      const [from, to] = [Math.max(first - before, 0), Math.min(end - before, count)];
      if (from < to) parts.push({ number, from, to });
      before += count;
    }
    return parts;
  }

  /** @returns the pieces that went. */
  #keepLast(most: number): readonly LogPiece[] {
    this.#skipped += Math.max(0, this.count - most);
    this.count = Math.min(this.count, most);
    let gone = 0;
    for (const { count } of this.#pieces) {
      if (count > this.#skipped) break;
      this.#skipped -= count;
      gone += 1;
    }
    const pieces = this.#pieces.slice(0, gone);
    if (gone > 0) this.#pieces = this.#pieces.slice(gone);
    return pieces;
  }
}
