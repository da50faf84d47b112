/** The service refused a call, or could not be reached. The message is for whoever typed the command. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
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

  /** @throws ApiError with what the service said. */
  async #call(method: string, path: string, query: Query, body?: object): Promise<unknown> {
    const { url, token } = this.#settings;
    const target = new URL(url.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value));
    }
    let response: Response;
    let text: string;
    try {
      response = await fetch(target, {
        method,
        headers: { Authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      const { cause = error } = error as Error;
      const { code, message } = cause as { code?: string; message?: string };
      throw new ApiError(`${url} cannot be reached: ${code ?? message ?? 'no answer'}`);
    }
    if (!response.ok) throw new ApiError(`${errorText(text)} (${response.status})`);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return isJson ? (JSON.parse(text) as unknown) : text;
  }
}

/** The path of a queue, a job or something of them. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
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
