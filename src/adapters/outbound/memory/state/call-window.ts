import type { CountedStarts } from '../../../../domain/attempts/turns.ts';
import { isOutdated, type Limiter } from '../../../../domain/queues/limiter.ts';
import type { StartWindow } from '../../../../domain/transitions/queue-state.ts';
import type { StartsPiece } from '../records/limiter-record.ts';

/** The most starts of a piece: a limiter may count many thousands, of which a call changes one. */
const MOST_IN_PIECE = 100;

/**
 * The calls that a limiter counts: those that started within its window. A job that is released without a call
 * counts too.
 */
export class CallWindow implements StartWindow {
  /** When (epoch ms) they started, oldest first. */
  readonly #starts: number[] = [];
  readonly #changed: (piece: number) => void;
  #dropped = 0;

  /** @param changed receives the number of each piece that changes. */
  constructor(changed: (piece: number) => void) {
    this.#changed = changed;
  }

  /** How many starts came before those that it has. */
  get dropped(): number {
    return this.#dropped;
  }

  /** When the `max`-th last of them started; undefined when there are fewer. */
  earliest({ max }: Limiter): number | undefined {
    return this.#starts.at(-max);
  }

  counted(limiter: Limiter, now: number): CountedStarts {
    let low = Math.max(0, this.#starts.length - limiter.max);
    for (let high = this.#starts.length; low < high;) {
      const middle = (low + high) >> 1;
      if (isOutdated(limiter, this.#starts[middle] ?? now, now)) low = middle + 1;
      else high = middle;
    }
    return { starts: this.#starts.length - low, first: this.#starts[low] };
  }

  /** Takes the latest start back: its call was not made. */
  uncount(): void {
    if (this.#starts.pop() !== undefined) this.#changed(this.#lastPiece);
  }

  count(limiter: Limiter, now: number): void {
    const counted = this.#starts.findIndex((start) => !isOutdated(limiter, start, now));
    this.#drop(counted === -1 ? this.#starts.length : counted);
    this.#changed(this.#lastPiece);
    this.#starts.push(now);
  }

  /** A piece as it is now; undefined when it is gone. */
  piece(number: number): StartsPiece | undefined {
    const before = Math.max(number * MOST_IN_PIECE, this.#dropped);
    const end = (number + 1) * MOST_IN_PIECE - this.#dropped;
    const starts = this.#starts.slice(before - this.#dropped, Math.max(0, end));
    return starts.length === 0 ? undefined : { before, starts };
  }

  /** @param dropped how many starts came before the first that is restored. */
  restoreDropped(dropped: number): void {
    if (dropped <= this.#dropped) return;
    this.#starts.splice(0, dropped - this.#dropped);
    this.#dropped = dropped;
  }

  /** Takes a piece as it was written; undefined when it is gone. Those that are gone come first, the last of them before. */
  replace(piece: number, { before, starts }: StartsPiece = { before: 0, starts: [] }): void {
    const first = Math.max(0, piece * MOST_IN_PIECE - this.#dropped);
    const end = Math.max(0, (piece + 1) * MOST_IN_PIECE - this.#dropped);
    this.#starts.splice(first, end - first, ...starts.slice(Math.max(0, this.#dropped - before)));
  }

  /** Notes all pieces, as the window goes. */
  noteAll(): void {
    for (let piece = pieceOf(this.#dropped); piece <= this.#lastPiece; piece += 1) {
      this.#changed(piece);
    }
  }

  /** The piece of the next start. */
  get #lastPiece(): number {
    return pieceOf(this.#dropped + this.#starts.length);
  }

  #drop(count: number): void {
    const first = pieceOf(this.#dropped);
    this.#starts.splice(0, count);
    this.#dropped += count;
    for (let piece = first; piece < pieceOf(this.#dropped); piece += 1) this.#changed(piece);
  }
}

function pieceOf(start: number): number {
  return Math.floor(start / MOST_IN_PIECE);
}
