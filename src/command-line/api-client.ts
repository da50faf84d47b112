/** The service refused a call, or could not be reached. The message is for the user of the command. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /** @param status of the answer; undefined without one. */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }

  /** Whether the same call may succeed later. */
  get isTemporary(): boolean {
    return this.status === undefined || this.status >= 500;
  }
}

export interface ApiSettings {
  /** Where the service is, such as `http://localhost:8080`. */
  readonly url: string;
  readonly token: string;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The REST API of the service. */
export class ApiClient {
  readonly #settings: ApiSettings;

  constructor(settings: ApiSettings) {
    this.#settings = settings;
  }

  get<Answer>(path: string, query: Query = {}): Promise<Answer> {
    return this.#call('GET', path, query) as Promise<Answer>;
  }

  post<Answer>(path: string, body?: object): Promise<Answer> {
    return this.#call('POST', path, {}, body) as Promise<Answer>;
  }

  delete<Answer>(path: string, query: Query = {}): Promise<Answer> {
    return this.#call('DELETE', path, query) as Promise<Answer>;
  }

  /**
   * An answer that is read as it arrives.
   *
   * @param headers empty ones are not sent.
   * @throws ApiError with the message of the service.
   */
  async open(
    path: string,
    query: Query,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const sent = Object.entries(headers).filter(([, value]) => value !== '');
    const init = { headers: Object.fromEntries(sent), signal };
    const response = await this.#reached(() => this.#fetch('GET', path, query, init));
    if (response.ok) return response;
    throw refusal(response, await this.#reached(() => response.text()));
  }

  /** @throws ApiError with the message of the service. */
  async #call(method: string, path: string, query: Query, body?: object): Promise<unknown> {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const [response, text] = await this.#reached(async () => {
      const response = await this.#fetch(method, path, query, init);
      return [response, await response.text()] as const;
    });
    if (!response.ok) throw refusal(response, text);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return isJson ? (JSON.parse(text) as unknown) : text;
  }

  #fetch(
    method: string,
    path: string,
    query: Query,
    { headers, ...init }: RequestInit,
  ): Promise<Response> {
    const { url, token } = this.#settings;
    const target = new URL(url.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value));
    }
    const authorized = { Authorization: `Bearer ${token}`, ...(headers as object) };
    return fetch(target, { method, headers: authorized, ...init });
  }

  /** @throws ApiError when the service cannot be reached. */
  async #reached<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      const { cause = error } = error as Error;
      const { code, message } = cause as { code?: string; message?: string };
      const why = code ?? message ?? 'no answer';
      throw new ApiError(`${this.#settings.url} cannot be reached: ${why}`);
    }
  }
}

/** The path of a queue, a job or a part of them. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

function refusal({ status }: Response, text: string): ApiError {
  return new ApiError(`${errorText(text)} (${status})`, status);
}

/** The specification has some errors in JSON. */
function errorText(text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    return typeof error === 'string' ? error : text;
  } catch {
    return text;
  }
}
