import type { EventsOfAll } from '../../../application/ports/event-port.ts';
import { positionOf, type QueueEvent } from '../../../domain/queue-event.ts';

/** Hands on what happens in all queues. What happens in one turn of the event loop is told together. */
export class EventNews {
  #untold: QueueEvent[] = [];
  #wake: () => void = () => undefined;
  #isOver = false;

  readonly tell = (event: QueueEvent): void => {
    if (this.#untold.push(event) === 1) setImmediate(() => this.#wake());
  };

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *readings(): AsyncGenerator<EventsOfAll> {
    for (;;) {
      if (this.#untold.length === 0) await this.#told();
      if (this.#isOver) return;
      const events = this.#untold;
      this.#untold = [];
      const last = positionOf(events.at(-1) as QueueEvent);
      yield { events, last, isEnd: true, lost: [] };
    }
  }

  async #told(): Promise<void> {
    if (this.#isOver) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
