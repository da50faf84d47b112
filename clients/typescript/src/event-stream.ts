import { JobgateError } from './errors.ts';
import { framesOf } from './server-sent-events.ts';
import { errorOf, jitter, sleep, type CallOptions, type Transport } from './transport.ts';

export interface JobgateEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventOptions extends CallOptions {
  /** Names and patterns of events. */
  readonly queues?: string | readonly string[] | undefined;
  readonly events?: string | readonly string[] | undefined;
  readonly job?: string | undefined;
  /** Milliseconds between two digests of a queue. */
  readonly digest?: number | undefined;
  readonly lastEventId?: string | undefined;
}

/** The service sends something every 15 s. A connection that is silent for this long (ms) is dead. */
const SILENCE = 45_000;

/** How many of the latest events are remembered, to skip those that a new connection repeats. */
const REMEMBERED = 1000;

/** Reconnecting does not change these answers. */
const FINAL = [400, 401, 403];

/** Follows a stream of Server-Sent Events, reconnecting as needed, until the signal aborts. */
export async function* followEvents(
  transport: Transport,
  path: string,
  { lastEventId, signal, timeout = SILENCE, ...query }: EventOptions = {},
): AsyncGenerator<JobgateEvent, void, undefined> {
  const seen = new Set<string>();
  let lastId = lastEventId ?? '';
  let failures = 0;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const end = (): void => {
      // After an abort, the caller may never request another event; then `finally` does not run.
      clearTimeout(silence);
      connection.abort();
    };
    let silence = setTimeout(end, timeout);
    signal?.addEventListener('abort', end);
    try {
      const headers = {
        accept: 'text/event-stream, application/problem+json',
        ...(lastId && { 'last-event-id': lastId }),
      };
      const response = await transport.open('GET', path, { query, headers }, connection.signal);
      const { ok, status, body } = response;
      if (!ok || body === null) throw errorOf(status, await response.text());
      const heard = (): void => {
        failures = 0;
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE);
      };
      for await (const { id, event = 'message', data } of framesOf(body, heard)) {
        lastId = id ?? lastId;
        const key = `${event} ${id}`;
        if (data === undefined || (id !== undefined && seen.has(key))) continue;
        seen.add(key);
        if (seen.size > REMEMBERED) for (const oldest of seen) if (seen.delete(oldest)) break;
        yield { id: lastId, event, data: JSON.parse(data) as JobgateEvent['data'] };
      }
    } catch (error) {
      if (error instanceof JobgateError && FINAL.includes(error.status)) throw error;
    } finally {
      signal?.removeEventListener('abort', end);
      end();
    }
    failures += 1;
    await sleep(jitter(failures), signal);
  }
}
