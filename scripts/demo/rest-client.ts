/** Calls the REST interface as any client would: JSON over HTTP with a bearer token. */
export class RestClient {
  readonly url: string;
  readonly token: string;

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /** The answer, parsed when it is JSON. @throws Error with the answer when it is not a 200. */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<unknown> {
    const response = await fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) {
      throw new Error(`${method} ${path} was answered with ${response.status} ${text}`);
    }
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return isJson ? (JSON.parse(text) as unknown) : text;
  }
}
