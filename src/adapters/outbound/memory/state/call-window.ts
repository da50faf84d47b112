import { limiterWindow, type Limiter } from '../../../../domain/attempts/limiter.ts';

/**
 * The calls that a limiter counts: those that started within its window. A job that is released without a call
 * counts too.
 */
export class CallWindow {
  /** When (epoch ms) they started, oldest first. */
  readonly #starts: number[] = [];

  /** When (epoch ms) the limiter allows the next call, undefined when it allows one now. */
  closedUntil(limiter: Limiter, now: number): number | undefined {
    const last = this.#starts.at(-limiter.max);
    const until = last === undefined ? now : last + limiterWindow(limiter);
    return until > now ? until : undefined;
  }

  countCall(limiter: Limiter, now: number): void {
    const since = now - limiterWindow(limiter);
    const outdated = this.#starts.findIndex((start) => start > since);
    this.#starts.splice(0, outdated === -1 ? this.#starts.length : outdated);
    this.#starts.push(now);
  }
}
