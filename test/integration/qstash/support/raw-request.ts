import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { TOKEN } from './qstash-service.ts';

/** What a program without an SDK sees of an answer. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** A request whose target goes over the wire as it is: no client in between makes another one of it. */
export function rawRequest(
  base: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = '',
): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    // Of a body with a GET, node:http says nothing by itself.
    const length = String(Buffer.byteLength(body));
    const all = { authorization: `Bearer ${TOKEN}`, 'content-length': length, ...headers };
    const sent = request({ hostname, port, method, path, headers: all }, (response) => {
      text(response).then((read) => {
        resolve({ status: response.statusCode ?? 0, text: read });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
