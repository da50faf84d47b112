import { JobgateError, messageOf } from './errors.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that each try may take. */
  readonly timeout?: number | undefined;
}

export interface ClientOptions {
  readonly url?: string;
  readonly token?: string;
  readonly timeout?: number;
  readonly tries?: number;
  readonly fetch?: typeof fetch;
}

export interface RequestOptions extends CallOptions {
  readonly body?: unknown;
  readonly query?: object | undefined;
}

export interface Call extends RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Another token than that of the client. */
  readonly token?: string;
  /** Whether a request of another method than those that are always repeatable may be repeated. */
  readonly repeatable?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Requests of these methods may be repeated without harm. */
const REPEATABLE = ['GET', 'PUT', 'DELETE'];

/** Sends requests, and repeats those that may be. */
export class Transport {
  readonly url: string;
  readonly #token: string;
  readonly #timeout: number;
  readonly #tries: number;
  readonly #fetch: typeof fetch;

  constructor({ url, token, timeout = 30_000, tries = 3, fetch: send }: ClientOptions) {
    this.url = (url ?? required('JOBGATE_URL')).replace(/\/+$/, '');
    this.#token = token ?? required('JOBGATE_TOKEN');
    this.#timeout = timeout;
    this.#tries = tries;
    this.#fetch = send ?? ((input, init) => fetch(input, init));
  }

  get send(): typeof fetch {
    return this.#fetch;
  }

  /** The time that a request may take beyond what the service is asked to wait. */
  get timeout(): number {
    return this.#timeout;
  }

  /** @throws JobgateError for an answer that is not 2xx, or none. */
  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const tries = REPEATABLE.includes(method) || call.repeatable === true ? this.#tries : 1;
    for (let count = 1; ; count += 1) {
      let pause = Math.random() * Math.min(10_000, 250 * 2 ** count);
      let error: JobgateError;
      try {
        const response = await this.open(method, path, call, this.#expiry(call));
        const text = await response.text();
        if (response.ok) return { status: response.status, body: parsed(text) };
        error = errorOf(response.status, text);
        pause = pauseOf(response.headers.get('retry-after')) ?? pause;
      } catch (cause) {
        if (call.signal?.aborted === true) throw call.signal.reason;
        error = new JobgateError(`No answer: ${messageOf(cause)}`, 0, undefined, cause);
      }
      if (count >= tries || ![0, 429, 503].includes(error.status)) throw error;
      await sleep(pause, call.signal);
      call.signal?.throwIfAborted();
    }
  }

  /** Sends one request. Rejects with what the network says. */
  open(method: string, path: string, call: Call, signal?: AbortSignal): Promise<Response> {
    return this.#fetch(this.url + path + queryOf(call.query), {
      method,
      headers: {
        authorization: `Bearer ${call.token ?? this.#token}`,
        accept: 'application/problem+json, application/json',
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      ...(signal !== undefined && { signal }),
    });
  }

  #expiry({ signal, timeout = this.#timeout }: CallOptions): AbortSignal {
    const expiry = AbortSignal.timeout(timeout);
    return signal === undefined ? expiry : AbortSignal.any([signal, expiry]);
  }
}

/** A variable of the environment, where there is one. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

function required(name: string): string {
  const value = environment(name);
  if (value === undefined || value === '') {
    const option = name === 'JOBGATE_URL' ? 'url' : 'token';
    throw new Error(`${name} is not set: set it, or give the option ${option}`);
  }
  return value;
}

export function errorOf(status: number, text: string): JobgateError {
  const body = parsed(text);
  const problem =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
  const detail = problem?.['detail'] ?? problem?.['error'] ?? body;
  const message = typeof detail === 'string' && detail !== '' ? detail : `HTTP ${status}`;
  return new JobgateError(message, status, problem);
}

/** Milliseconds of a `Retry-After`, in seconds or as a date. */
export function pauseOf(value: string | null): number | undefined {
  if (value === null || value === '') return undefined;
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

/** The value of a JSON text, else the text itself. */
export function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, string | undefined][]) {
    if (value !== undefined) parameters.set(name, value);
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
