import type { StartsInWindow } from '../../../../domain/attempts/turns.ts';
import { limiterWindow, type Limiter } from '../../../../domain/queues/limiter.ts';
import { USUAL_COST } from '../../../../domain/queues/start-cost.ts';
import {
  indexOfStart,
  lastToLeave,
  startsUpTo,
  type CountedStart,
} from '../../../../domain/queues/start-window.ts';
import type { StartWindow } from '../../../../domain/transitions/queue-state.ts';
import type { StartsPiece } from '../records/limiter-record.ts';

/** The most starts of a piece: a limiter may count many thousands, of which a call changes one. */
export const MOST_IN_PIECE = 100;

/**
 * The calls that a limiter counts: those that started within its window. A job that is released without a call
 * counts too.
 */
export class CallWindow implements StartWindow {
  /** When (epoch ms) they started, oldest first, and what each counts. */
  readonly #times: number[] = [];
  readonly #costs: number[] = [];
  #total = 0;
  readonly #changed: (piece: number) => void;
  #dropped = 0;

  /** @param changed receives the number of each piece that changes. */
  constructor(changed: (piece: number) => void) {
    this.#changed = changed;
  }

  get isEmpty(): boolean {
    return this.#times.length === 0;
  }

  /** When (epoch ms) the last of them started. */
  get latest(): number | undefined {
    return this.#times.at(-1);
  }

  /** How many starts came before those that it has. */
  get dropped(): number {
    return this.#dropped;
  }

  earliest(limiter: Limiter, cost: number): number | undefined {
    return lastToLeave(this.#starts, limiter, cost);
  }

  counted(limiter: Limiter, now: number): StartsInWindow {
    const outdated = startsUpTo(this.#times, now - limiterWindow(limiter));
    const gone = sum(this.#costs.slice(0, outdated));
    return { cost: this.#total - gone, first: this.#times[outdated] };
  }

  uncount(start: CountedStart): void {
    const index = indexOfStart(this.#starts, start);
    if (index === -1) return;
    this.#splice(index, 1);
    for (let piece = this.#pieceAt(index); piece <= this.#lastPiece; piece += 1) {
      this.#changed(piece);
    }
  }

  correct(start: CountedStart, cost: number): void {
    const index = indexOfStart(this.#starts, start);
    if (index === -1) return;
    this.#splice(index, 1, [start.at], [cost]);
    this.#changed(this.#pieceAt(index));
  }

  count(limiter: Limiter, { at, cost }: CountedStart): void {
    this.drop(startsUpTo(this.#times, at - limiterWindow(limiter)));
    this.#changed(this.#lastPiece);
    this.#splice(this.#times.length, 0, [at], [cost]);
  }

  /** Drops up to so many starts, the oldest first. */
  drop(most: number): void {
    const first = pieceOf(this.#dropped);
    const count = Math.min(most, this.#times.length);
    this.#splice(0, count);
    this.#dropped += count;
    for (let piece = first; piece < pieceOf(this.#dropped); piece += 1) this.#changed(piece);
  }

  /** A piece as it is now; undefined when it is gone. */
  piece(number: number): StartsPiece | undefined {
    const before = Math.max(number * MOST_IN_PIECE, this.#dropped);
    const end = (number + 1) * MOST_IN_PIECE - this.#dropped;
    const range = [before - this.#dropped, Math.max(0, end)] as const;
    const starts = this.#times.slice(...range);
    const costs = this.#costs.slice(...range);
    if (starts.length === 0) return undefined;
    return { before, starts, ...(costs.some((cost) => cost !== USUAL_COST) && { costs }) };
  }

  /** @param dropped how many starts came before the first that is restored. */
  restoreDropped(dropped: number): void {
    if (dropped <= this.#dropped) return;
    this.#splice(0, dropped - this.#dropped);
    this.#dropped = dropped;
  }

  /** Takes a piece as it was written; undefined when it is gone. Those that are gone come first, the last of them before. */
  replace(piece: number, { before, starts, costs }: StartsPiece = { before: 0, starts: [] }): void {
    const first = Math.max(0, piece * MOST_IN_PIECE - this.#dropped);
    const end = Math.max(0, (piece + 1) * MOST_IN_PIECE - this.#dropped);
    const gone = Math.max(0, this.#dropped - before);
    const restored = costs ?? starts.map(() => USUAL_COST);
    this.#splice(first, end - first, starts.slice(gone), restored.slice(gone));
  }

  /** Notes all pieces, as the window goes. */
  noteAll(): void {
    for (let piece = pieceOf(this.#dropped); piece <= this.#lastPiece; piece += 1) {
      this.#changed(piece);
    }
  }

  get #starts() {
    return { times: this.#times, costs: this.#costs, total: this.#total };
  }

  /** The piece of the next start. */
  get #lastPiece(): number {
    return this.#pieceAt(this.#times.length);
  }

  #pieceAt(index: number): number {
    return pieceOf(this.#dropped + index);
  }

  /** Puts starts in place of some others. */
  #splice(
    first: number,
    count: number,
    times: readonly number[] = [],
    costs: readonly number[] = [],
  ): void {
    this.#times.splice(first, count, ...times);
    this.#total += sum(costs) - sum(this.#costs.splice(first, count, ...costs));
  }
}

function pieceOf(start: number): number {
  return Math.floor(start / MOST_IN_PIECE);
}

function sum(costs: readonly number[]): number {
  return costs.reduce((total, cost) => total + cost, 0);
}
