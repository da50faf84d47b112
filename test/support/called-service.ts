/** What a service answered; a JSON body is parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A running service, wherever it runs. */
export interface CalledService {
  readonly url: string;
  /** Calls the REST interface, with the API token unless another one is given. */
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
}

/** Calls the REST interface of the service at a URL. */
export async function callService(
  url: string,
  token: string,
  ...[method, path, body]: readonly [method: string, path: string, body?: unknown]
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as unknown) : text,
  };
}
