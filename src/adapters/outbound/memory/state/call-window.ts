import { isOutdated, type Limiter } from '../../../../domain/queues/limiter.ts';

/**
 * The calls that a limiter counts: those that started within its window. A job that is released without a call
 * counts too.
 */
export class CallWindow {
  /** When (epoch ms) they started, oldest first. */
  readonly #starts: number[];

  constructor(starts: readonly number[] = []) {
    this.#starts = [...starts];
  }

  get starts(): readonly number[] {
    return this.#starts;
  }

  /** When the `max`-th last of them started; undefined when there are fewer. */
  earliest({ max }: Limiter): number | undefined {
    return this.#starts.at(-max);
  }

  /** Takes the latest start back: its call was not made. */
  countNoCall(): void {
    this.#starts.pop();
  }

  countCall(limiter: Limiter, now: number): void {
    const counted = this.#starts.findIndex((start) => !isOutdated(limiter, start, now));
    this.#starts.splice(0, counted === -1 ? this.#starts.length : counted);
    this.#starts.push(now);
  }
}
