import { JobgateError, messageOf } from './errors.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Timeout (ms) of each try. */
  readonly timeout?: number | undefined;
}

export interface ClientOptions {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  /** Timeout (ms) of a try in addition to the time that the service is asked to wait. */
  readonly timeout?: number | undefined;
  readonly tries?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
}

export interface RequestOptions extends CallOptions {
  readonly body?: unknown;
  readonly query?: object | undefined;
}

export interface Call extends RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether another try may start, after this many tries and a pause of this many ms; by default, the method decides.
   */
  readonly mayRepeat?: (tries: number, pause: number) => boolean;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Temporary errors, which may be gone at the next try; 0 stands for no answer. */
const PASSING = [0, 429, 503];

/** Requests with these methods can safely be repeated. */
const REPEATABLE = ['GET', 'PUT', 'DELETE'];

/** Sends requests, and repeats them if that is allowed. */
export class Transport {
  readonly url: string;
  readonly timeout: number;
  readonly tries: number;
  readonly fetch: typeof fetch;
  readonly #token: string;

  constructor(
    url: string,
    token: string,
    { timeout = 30_000, tries = 3, fetch: send = (...request) => fetch(...request) }: ClientOptions,
  ) {
    this.url = url.replace(/\/+$/, '');
    this.#token = token;
    this.timeout = timeout;
    this.tries = tries;
    this.fetch = send;
  }

  /** @throws JobgateError for an answer that is not 2xx, or no answer. */
  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const {
      signal,
      timeout = this.timeout,
      mayRepeat = (tries: number) => REPEATABLE.includes(method) && tries < this.tries,
    } = call;
    for (let tries = 1; ; tries += 1) {
      let pause = jitter(tries);
      let error: JobgateError;
      try {
        const expiry = AbortSignal.timeout(timeout);
        const response = await this.open(
          method,
          path,
          call,
          signal ? AbortSignal.any([signal, expiry]) : expiry,
        );
        const text = await response.text();
        if (response.ok) return { status: response.status, body: parsed(text) };
        error = errorOf(response.status, text);
        pause = pauseOf(response.headers.get('retry-after')) ?? pause;
      } catch (cause) {
        signal?.throwIfAborted();
        error = this.#noAnswer(method, path, cause);
      }
      if (!PASSING.includes(error.status) || !mayRepeat(tries, pause)) throw error;
      await sleep(pause, signal);
      signal?.throwIfAborted();
    }
  }

  /** The body of an answer, as it arrives. @throws JobgateError for an answer that is not 2xx, or no answer. */
  async stream(
    method: string,
    path: string,
    { signal = new AbortController().signal, ...call }: RequestOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await this.open(method, path, call, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw this.#noAnswer(method, path, cause);
    });
    const { ok, status, body } = response;
    if (!ok || body === null) throw errorOf(status, await response.text());
    return body;
  }

  /** Sends one request. Rejects with the error of the network. */
  open(
    method: string,
    path: string,
    { body, query, headers }: Call,
    signal: AbortSignal,
  ): Promise<Response> {
    const { fetch: send } = this;
    return send(this.url + path + queryOf(query), {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: 'application/problem+json, application/json',
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect is not an answer of the service.
      redirect: 'manual',
      signal,
    });
  }

  #noAnswer(method: string, path: string, cause: unknown): JobgateError {
    const message = `No answer to ${method} ${this.url}${path}: ${reasonOf(cause)}`;
    return new JobgateError(message, 0, undefined, cause);
  }
}

/** What a failed request met: `fetch` wraps the error of the connection, which has no message when it tried several. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as Error;
  return messageOf(cause) || (cause as { readonly code: string }).code;
}

/** The value of an environment variable, if the platform has any. */
export function environment(name: string): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[
    name
  ];
}

export function errorOf(status: number, text: string): JobgateError {
  const body = parsed(text);
  const problem =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
  const detail = problem?.['detail'] ?? problem?.['error'] ?? body;
  const message = typeof detail === 'string' && detail !== '' ? detail : `HTTP ${status}`;
  return new JobgateError(message, status, problem);
}

/** The pause (ms) before the next try: full jitter, up to ten seconds. */
export function jitter(tries: number): number {
  return Math.random() * Math.min(10_000, 250 * 2 ** tries);
}

/** The milliseconds of a `Retry-After`, which contains seconds or a date. */
function pauseOf(value: string | null): number | undefined {
  if (!value) return undefined;
  const pause = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}

/** Waits, but no longer than until the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
    signal?.addEventListener('abort', done);
    if (signal?.aborted === true) done();
  });
}

/** The value of a JSON text, or else the text itself. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text || undefined;
  }
}

/** Leaves out undefined fields, and joins lists by commas. */
function queryOf(query: object = {}): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  return fields.length > 0
    ? `?${new URLSearchParams(fields as [string, string][]).toString()}`
    : '';
}
