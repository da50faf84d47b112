import type { Hold } from '../../../../domain/queues/hold.ts';

/** Decides whether claims on a queue may get jobs. */
export class Gate {
  #heldSince = 0;
  #heldUntil = 0;

  /** Until when (epoch ms) no job starts; undefined when one may start now. */
  closedUntil(now: number): number | undefined {
    return this.#heldUntil > now ? this.#heldUntil : undefined;
  }

  /** Undefined when the queue is not held. */
  heldAt(now: number): Hold | undefined {
    const until = this.closedUntil(now);
    return until === undefined ? undefined : { since: this.#heldSince, until };
  }

  /** Holds the queue for some ms; a hold that lasts longer stays. @returns when (epoch ms) the hold ends. */
  hold(duration: number, now: number): number {
    if (this.#heldUntil <= now) this.#heldSince = now;
    this.#heldUntil = Math.max(this.#heldUntil, now + duration);
    return this.#heldUntil;
  }

  endHold(): void {
    this.#heldUntil = 0;
  }
}
