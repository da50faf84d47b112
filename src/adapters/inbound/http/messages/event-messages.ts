import type { EventBatch } from '../../../../application/events/event-batch.ts';
import type { EventOrGap } from '../../../../domain/queue-event.ts';
import type { EventWords } from './event-words.ts';

/** Words events as messages of a WebSocket. What many are told is worded once. */
export class EventMessages {
  readonly #words: EventWords;
  readonly #messages = new WeakMap<EventOrGap, Uint8Array>();

  constructor(words: EventWords) {
    this.#words = words;
  }

  /** The messages of each batch; none are a sign of life. */
  async *batches(batches: AsyncIterable<EventBatch>): AsyncGenerator<readonly Uint8Array[]> {
    for await (const { events } of batches) yield events.map((event) => this.#message(event));
  }

  #message(event: EventOrGap): Uint8Array {
    const known = this.#messages.get(event);
    if (known !== undefined) return known;
    const { id, name, data } = this.#words.of(event);
    const message = Buffer.from(JSON.stringify({ id, event: name, data }));
    this.#messages.set(event, message);
    return message;
  }
}
