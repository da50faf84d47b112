import { Mailbox } from './mailbox.ts';

/** An event as a browser would see it. */
export interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: {
    readonly queue: string;
    readonly timestamp: number;
    readonly jobId?: string;
    readonly from?: string;
    readonly to?: string;
  } & Readonly<Record<string, unknown>>;
}

/** Reads Server-Sent Events as the HTML standard says, byte by byte as they come. */
export class EventStream {
  readonly response: Response;
  readonly #left: AbortController;
  readonly #events = new Mailbox<StreamedEvent | undefined>();
  readonly #comments = new Mailbox<string>();
  /** The id to come back with. */
  lastEventId = '';
  retry: number | undefined;

  private constructor(response: Response, left: AbortController) {
    this.response = response;
    this.#left = left;
    void this.#read();
  }

  /** Resolves when the stream has begun: it receives what happens from then on. */
  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
    const left = new AbortController();
    const response = await fetch(url, { headers, signal: left.signal });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    const stream = new EventStream(response, left);
    await stream.comment();
    return stream;
  }

  /** The next event, undefined at the end of the stream. */
  next(): Promise<StreamedEvent | undefined> {
    return this.#events.take();
  }

  async take(count: number): Promise<StreamedEvent[]> {
    const taken: StreamedEvent[] = [];
    while (taken.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`The stream ended after ${taken.length} events`);
      taken.push(event);
    }
    return taken;
  }

  comment(): Promise<string> {
    return this.#comments.take();
  }

  close(): void {
    this.#left.abort();
  }

  async #read(): Promise<void> {
    let [text, id, event, data] = ['', '', '', ''];
    const line = (written: string): void => {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(written) ?? [];
      if (written === '') {
        // Only now: what is cut before its end is not known.
        this.lastEventId = id;
        if (data !== '') {
          const parsed = JSON.parse(data) as StreamedEvent['data'];
          this.#events.put({ id: this.lastEventId, event, data: parsed });
        }
        [event, data] = ['', ''];
      } else if (written.startsWith(':')) this.#comments.put(value);
      else if (field === 'id') id = value;
      else if (field === 'event') event = value;
      else if (field === 'data') data += value;
      else if (field === 'retry') this.retry = Number(value);
    };
    try {
      for await (const chunk of this.response.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (text + chunk).split('\n');
        text = lines.pop() ?? '';
        lines.forEach(line);
      }
    } catch {
      // It was left, or cut.
    }
    this.#events.put(undefined);
  }
}
