import type { EventsOfAll } from '../../../../application/ports/event-port.ts';
import { positionOf, type EventOrGap } from '../../../../domain/events/queue-event.ts';

/** The events of all queues as they happen. The events of one turn of the event loop are read together. */
export class EventBatches {
  #pending: EventOrGap[] = [];
  #wake: () => void = () => undefined;
  #isOver = false;

  readonly add = (event: EventOrGap): void => {
    if (this.#pending.push(event) === 1) setImmediate(() => this.#wake());
  };

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *readings(): AsyncGenerator<EventsOfAll> {
    for (;;) {
      if (this.#pending.length === 0) await this.#nextEvent();
      if (this.#isOver) return;
      const events = this.#pending;
      this.#pending = [];
      const last = positionOf(events.at(-1) as EventOrGap);
      yield { events, last, isEnd: true, lost: [] };
    }
  }

  async #nextEvent(): Promise<void> {
    if (this.#isOver) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
