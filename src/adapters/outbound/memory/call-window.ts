import type { Limiter } from '../../../domain/worker-options.ts';

/** The fixed window of a limiter: its first call opens it, and `duration` ms later it is over. */
export class CallWindow {
  #endsAt = 0;
  #calls = 0;

  /** When (epoch ms) the limiter allows the next call, undefined when it allows one now. */
  closedUntil({ max }: Limiter, now: number): number | undefined {
    return now < this.#endsAt && this.#calls >= max ? this.#endsAt : undefined;
  }

  countCall({ duration }: Limiter, now: number): void {
    if (now >= this.#endsAt) {
      this.#endsAt = now + duration;
      this.#calls = 0;
    }
    this.#calls += 1;
  }
}
