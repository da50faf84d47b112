import type { EventBatch } from '../../../../application/events/event-batch.ts';
import type { EventOrGap } from '../../../../domain/queue-event.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import type { EventWords } from './event-words.ts';
import type { ReplyHeaders } from './reply.ts';

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Neither caches nor proxies may hold events back. */
export const EVENT_STREAM_HEADERS: ReplyHeaders = {
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** What ends a stream: the client comes back after so many milliseconds. */
const GOODBYE = 'retry: 1000\n\n';

/** Words events as Server-Sent Events. What many are told at once is worded once. */
export class EventStreamText {
  readonly #words: EventWords;
  readonly #turns: EventLoopTurns;
  readonly #events = new WeakMap<EventOrGap, string>();
  readonly #batches = new WeakMap<EventBatch, Uint8Array>();

  /** @param turns what all streams share when they are told at once. */
  constructor(words: EventWords, turns: EventLoopTurns) {
    this.#words = words;
    this.#turns = turns;
  }

  /** The pieces of a stream, and how to come back at its end. */
  async *pieces(batches: AsyncIterable<EventBatch>): AsyncGenerator<string | Uint8Array> {
    for await (const batch of batches) {
      await this.#turns.share();
      yield batch.events.length === 0 ? this.#signOfLife(batch) : this.#batch(batch);
    }
    yield GOODBYE;
  }

  #batch(batch: EventBatch): Uint8Array {
    const known = this.#batches.get(batch);
    if (known !== undefined) return known;
    const bytes = Buffer.from(batch.events.map((event) => this.#event(event)).join(''));
    this.#batches.set(batch, bytes);
    return bytes;
  }

  #event(event: EventOrGap): string {
    const known = this.#events.get(event);
    if (known !== undefined) return known;
    const { id, name, data } = this.#words.of(event);
    const text = `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    this.#events.set(event, text);
    return text;
  }

  /** A comment. Its id is no event: a client whose events are rare comes back to where the stream was. */
  #signOfLife({ last }: EventBatch): string {
    return `:\nid: ${this.#words.idOf(last)}\n\n`;
  }
}
