const PARSED =
  'The body was parsed before it could be verified: mount the worker before express.json()';

/** The part of a Node.js request that a worker uses, with or without a body parser in front. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

export interface NodeResponse {
  statusCode: number;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** The original bytes of the body. @throws Error when only a parsed body is left. */
export async function rawBodyOf(request: NodeRequest): Promise<Uint8Array> {
  const { rawBody, body } = request;
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  for (const bytes of [rawBody, body]) if (bytes instanceof Uint8Array) return bytes;
  if (body !== undefined) throw new Error(PARSED);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    length += chunk.length;
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
