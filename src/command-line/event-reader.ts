import { setTimeout as sleep } from 'node:timers/promises';

/** An event as the service sends it. */
export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Opens the stream behind an id. Rejects when that fails, for now or for good. */
export type OpenStream = (lastEventId: string, signal: AbortSignal) => Promise<Response>;

/** The service sends something every 15 s. A stream that is silent for so many milliseconds is dead. */
const SILENCE = 45_000;

/** Milliseconds between two tries to reconnect, unless the service sends another time. */
const RETRY = 1000;

/**
 * Reads Server-Sent Events until its signal aborts. A stream that ends, or is lost, is opened again behind the last
 * event.
 */
export class EventReader {
  readonly #open: OpenStream;
  readonly #mayReconnect: (error: unknown) => boolean;
  readonly #lost: () => void;
  #lastEventId = '';
  #retry = RETRY;

  /**
   * @param mayReconnect whether to try again after such an error of `open`, once a stream has been open.
   * @param lost is called when a stream is lost.
   */
  constructor(open: OpenStream, mayReconnect: (error: unknown) => boolean, lost: () => void) {
    this.#open = open;
    this.#mayReconnect = mayReconnect;
    this.#lost = lost;
  }

  /** @throws the error of `open`. */
  async *read(ending: AbortSignal): AsyncGenerator<ReceivedEvent> {
    let wasOpen = false;
    for (;;) {
      const dead = new AbortController();
      const silence = setTimeout(() => dead.abort(), SILENCE);
      const signal = AbortSignal.any([ending, dead.signal]);
      try {
        const { body } = await this.#open(this.#lastEventId, signal);
        wasOpen = true;
        if (body !== null) yield* this.#events(body, () => silence.refresh());
      } catch (error) {
        if (!signal.aborted && !(wasOpen && this.#mayReconnect(error))) throw error;
      } finally {
        clearTimeout(silence);
      }
      if (ending.aborted) return;
      this.#lost();
      await sleep(this.#retry, undefined, { signal: ending }).catch(() => undefined);
    }
  }

  /** The events of a stream until it ends or is lost. */
  async *#events(
    body: ReadableStream<Uint8Array>,
    onBytes: () => void,
  ): AsyncGenerator<ReceivedEvent> {
    let rest = '';
    let event: Record<string, string> = {};
    for await (const chunk of received(body)) {
      onBytes();
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line !== '') {
          const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
          event[field] = value;
          continue;
        }
        const { id = this.#lastEventId, event: name = 'message', data, retry } = event;
        event = {};
        this.#lastEventId = id;
        if (retry !== undefined) this.#retry = Number(retry);
        if (data !== undefined)
          yield { id, event: name, data: JSON.parse(data) as ReceivedEvent['data'] };
      }
    }
  }
}

/** The text of a body, up to its end or the point where it was lost. */
async function* received(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const read = await reader.read().catch(() => undefined);
    if (read?.value === undefined) return;
    yield decoder.decode(read.value, { stream: true });
  }
}
