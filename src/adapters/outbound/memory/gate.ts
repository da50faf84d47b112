/** What keeps claims of a queue from being given jobs. */
export class Gate {
  #heldUntil = 0;

  /** Until when (epoch ms) no job starts; undefined when one may start now. */
  closedUntil(now: number): number | undefined {
    return this.#heldUntil > now ? this.#heldUntil : undefined;
  }

  /** Holds the queue for some ms, or as long as it is held anyway. @returns until when (epoch ms). */
  hold(duration: number, now: number): number {
    this.#heldUntil = Math.max(this.#heldUntil, now + duration);
    return this.#heldUntil;
  }

  endHold(): void {
    this.#heldUntil = 0;
  }
}
