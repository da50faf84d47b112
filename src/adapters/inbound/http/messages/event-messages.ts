import type { EventBatch } from '../../../../application/events/event-batch.ts';
import type { EventOrGap } from '../../../../domain/queue-event.ts';
import type { EventPosition } from '../../../../domain/event-position.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import type { EventWords } from './event-words.ts';
import type { MessageBatch } from './reply.ts';

/** Words events as messages of a WebSocket. What many are told is worded once. */
export class EventMessages {
  readonly #words: EventWords;
  readonly #turns: EventLoopTurns;
  readonly #messages = new WeakMap<EventOrGap, Uint8Array>();

  /** @param turns what all WebSockets share when they are told at once. */
  constructor(words: EventWords, turns: EventLoopTurns) {
    this.#words = words;
    this.#turns = turns;
  }

  /** The messages of each batch. A sign of life tells where the stream is: a client may come back to it. */
  async *batches(batches: AsyncIterable<EventBatch>): AsyncGenerator<MessageBatch> {
    for await (const { events, last } of batches) {
      await this.#turns.share();
      const isSignOfLife = events.length === 0;
      const messages = isSignOfLife
        ? [this.#position(last)]
        : events.map((event) => this.#message(event));
      yield { messages, isSignOfLife };
    }
  }

  #position(position: EventPosition): Uint8Array {
    return Buffer.from(JSON.stringify({ id: this.#words.idOf(position) }));
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
