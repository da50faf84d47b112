import { setTimeout as sleep } from 'node:timers/promises';

/** An event as the service tells it. */
export interface ToldEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Opens the stream behind an id. It rejects when that is of no use, now or ever. */
export type OpenStream = (lastEventId: string, signal: AbortSignal) => Promise<Response>;

/** The service tells something every 15 s. A stream without a word for so many milliseconds is dead. */
const SILENCE = 45_000;

/** Milliseconds between two tries to come back, unless the service says otherwise. */
const RETRY = 1000;

/**
 * Reads Server-Sent Events until it is told to end. A stream that ends, or is lost, is opened again behind the last
 * event.
 */
export class EventReader {
  readonly #open: OpenStream;
  readonly #mayComeBack: (error: unknown) => boolean;
  readonly #lost: () => void;
  #lastEventId = '';
  #retry = RETRY;

  /**
   * @param mayComeBack whether to try again after such an error of `open`, once a stream has been open.
   * @param lost is called when a stream was lost.
   */
  constructor(open: OpenStream, mayComeBack: (error: unknown) => boolean, lost: () => void) {
    this.#open = open;
    this.#mayComeBack = mayComeBack;
    this.#lost = lost;
  }

  /** @throws whatever `open` rejects with. */
  async *read(ending: AbortSignal): AsyncGenerator<ToldEvent> {
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
        if (!signal.aborted && !(wasOpen && this.#mayComeBack(error))) throw error;
      } finally {
        clearTimeout(silence);
      }
      if (ending.aborted) return;
      this.#lost();
      await sleep(this.#retry, undefined, { signal: ending }).catch(() => undefined);
    }
  }

  /** What a stream tells until it ends or is lost. */
  async *#events(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<ToldEvent> {
    let rest = '';
    let event: Record<string, string> = {};
    for await (const chunk of received(body)) {
      heard();
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
          yield { id, event: name, data: JSON.parse(data) as ToldEvent['data'] };
      }
    }
  }
}

/** The text of a body up to its end, or to where it was lost. */
async function* received(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const read = await reader.read().catch(() => undefined);
    if (read?.value === undefined) return;
    yield decoder.decode(read.value, { stream: true });
  }
}
