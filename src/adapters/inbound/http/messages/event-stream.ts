import type { DeliveredBatch } from '../../../../application/digests/delivered-batch.ts';
import type { DeliveredEvent } from '../../../../domain/digests/event-digest.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import type { EventFormat } from './event-format.ts';
import type { ReplyHeaders } from '../../exchange/whole-reply.ts';

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Neither caches nor proxies may hold events back. */
export const EVENT_STREAM_HEADERS: ReplyHeaders = {
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** The end of a stream. It tells the client how many milliseconds later to reconnect. */
const GOODBYE = 'retry: 1000\n\n';

/** Formats events as Server-Sent Events. An event for many subscribers is formatted once. */
export class EventStreamText {
  readonly #format: EventFormat;
  readonly #turns: EventLoopTurns;
  readonly #events = new WeakMap<DeliveredEvent, string>();
  readonly #batches = new WeakMap<DeliveredBatch, Uint8Array>();

  /** @param turns shared by all streams that have events at the same time. */
  constructor(format: EventFormat, turns: EventLoopTurns) {
    this.#format = format;
    this.#turns = turns;
  }

  /** The pieces of a stream; the last one says when to reconnect. */
  async *pieces(batches: AsyncIterable<DeliveredBatch>): AsyncGenerator<string | Uint8Array> {
    for await (const batch of batches) {
      await this.#turns.share();
      yield batch.events.length === 0 ? this.#signOfLife(batch) : this.#batch(batch);
    }
    yield GOODBYE;
  }

  #batch(batch: DeliveredBatch): Uint8Array {
    const known = this.#batches.get(batch);
    if (known !== undefined) return known;
    const bytes = Buffer.from(batch.events.map((event) => this.#event(event)).join(''));
    this.#batches.set(batch, bytes);
    return bytes;
  }

  #event(event: DeliveredEvent): string {
    const known = this.#events.get(event);
    if (known !== undefined) return known;
    const { id, name, data } = this.#format.of(event);
    const text = `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    this.#events.set(event, text);
    return text;
  }

  /** A comment with the position in the stream as its id, so that a client whose events are rare resumes from there. */
  #signOfLife({ last }: DeliveredBatch): string {
    return `:\nid: ${this.#format.idOf(last)}\n\n`;
  }
}
