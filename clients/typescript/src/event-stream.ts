import { JobgateError } from './errors.ts';
import { errorOf, sleep, type Transport } from './transport.ts';

export interface JobgateEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventOptions {
  /** Names and patterns. */
  readonly queues?: string | readonly string[];
  readonly events?: readonly string[];
  readonly job?: string;
  readonly digest?: number;
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
}

/** The service sends something every 15 s. A connection that is silent for so many milliseconds is dead. */
const SILENCE = 45_000;

/** So many of the latest events are known again when a new connection repeats them. */
const REMEMBERED = 1000;

/** These answers do not change when the connection is opened again. */
const FINAL = [400, 401, 403];

/** Follows a stream of Server-Sent Events over its connections until the signal aborts. */
export async function* followEvents(
  transport: Transport,
  path: string,
  { lastEventId = '', signal, events, queues, ...query }: EventOptions,
): AsyncGenerator<JobgateEvent, void, undefined> {
  const seen = new Set<string>();
  let lastId = lastEventId;
  let failures = 0;
  while (signal?.aborted !== true) {
    const connection = new AbortController();
    const both =
      signal === undefined ? connection.signal : AbortSignal.any([signal, connection.signal]);
    let silence = setTimeout(() => connection.abort(), SILENCE);
    try {
      const response = await transport.open(
        'GET',
        path,
        {
          query: { ...query, queues: queues?.toString(), events: events?.join(',') },
          headers: {
            accept: 'text/event-stream, application/problem+json',
            ...(lastId !== '' && { 'last-event-id': lastId }),
          },
        },
        both,
      );
      if (!response.ok) throw errorOf(response.status, await response.text());
      const heard = (): void => {
        failures = 0;
        clearTimeout(silence);
        silence = setTimeout(() => connection.abort(), SILENCE);
      };
      for await (const frame of frames(response.body, heard)) {
        if (frame.id !== undefined) lastId = frame.id;
        if (frame.data === undefined) continue;
        const event = frame.event ?? 'message';
        const key = `${event} ${frame.id ?? ''}`;
        if (frame.id !== undefined && seen.has(key)) continue;
        seen.add(key);
        if (seen.size > REMEMBERED) for (const oldest of seen) if (seen.delete(oldest)) break;
        yield { id: lastId, event, data: JSON.parse(frame.data) as JobgateEvent['data'] };
      }
    } catch (error) {
      if (error instanceof JobgateError && FINAL.includes(error.status)) throw error;
    } finally {
      clearTimeout(silence);
      connection.abort();
    }
    failures += 1;
    await sleep(Math.random() * Math.min(10_000, 250 * 2 ** failures), signal);
  }
}

interface Frame {
  id?: string;
  event?: string;
  data?: string;
}

/** The frames of a body up to its end. One that is cut off is none. */
async function* frames(
  body: ReadableStream<Uint8Array> | null,
  heard: () => void,
): AsyncGenerator<Frame, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let frame: Frame = {};
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      heard();
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line end.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          yield frame;
          frame = {};
          continue;
        }
        const [, field, content = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (field === 'id') frame.id = content;
        else if (field === 'event') frame.event = content;
        else if (field === 'data')
          frame.data = frame.data === undefined ? content : `${frame.data}\n${content}`;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
