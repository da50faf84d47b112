import type { DeliveredBatch } from '../../../../application/digests/delivered-batch.ts';
import type { DeliveredEvent } from '../../../../domain/digests/event-digest.ts';
import type { EventPosition } from '../../../../domain/events/event-position.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import type { EventFormat } from './event-format.ts';
import type { MessageBatch } from './reply.ts';

/** Formats events as messages of a WebSocket. An event for many subscribers is formatted once. */
export class EventMessages {
  readonly #format: EventFormat;
  readonly #turns: EventLoopTurns;
  readonly #messages = new WeakMap<DeliveredEvent, Uint8Array>();

  /** @param turns shared by all WebSockets that have events at the same time. */
  constructor(format: EventFormat, turns: EventLoopTurns) {
    this.#format = format;
    this.#turns = turns;
  }

  /** The messages of each batch. A sign of life carries the position in the stream from which a client may resume. */
  async *batches(batches: AsyncIterable<DeliveredBatch>): AsyncGenerator<MessageBatch> {
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
    return Buffer.from(JSON.stringify({ id: this.#format.idOf(position) }));
  }

  #message(event: DeliveredEvent): Uint8Array {
    const known = this.#messages.get(event);
    if (known !== undefined) return known;
    const { id, name, data } = this.#format.of(event);
    const message = Buffer.from(JSON.stringify({ id, event: name, data }));
    this.#messages.set(event, message);
    return message;
  }
}
