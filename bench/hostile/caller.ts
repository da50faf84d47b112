import { connect } from 'node:net';
import { request } from 'undici';
import type { Target } from '../load.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The headers of a request with another token than the target's. */
export function withToken(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** Calls a service as a client that means no good. */
export class Caller {
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Where the service listens, for clients of the attack's own. */
  get target(): Target {
    return this.#target;
  }

  /** Reads the whole answer and returns its status; 0 when there is none. */
  async call(
    method: Method,
    path: string,
    body?: string | Buffer,
    more: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const { host, port, token } = this.#target;
    const headers = { ...withToken(token), ...more };
    try {
      const url = `http://${host}:${port}${path}`;
      const answer = await request(url, { method, headers, ...(body && { body }) });
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      return answer.statusCode;
    } catch {
      return 0;
    }
  }

  /** @throws Error unless the call is answered with 200. */
  async must(
    method: Method,
    path: string,
    body?: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const status = await this.call(method, path, body, more);
    if (status !== 200) throw new Error(`${method} ${path} was answered with ${status}`);
  }

  /** @returns the JSON of an answer. */
  async read(method: Method, path: string, body?: string): Promise<unknown> {
    const { host, port, token } = this.#target;
    const headers = withToken(token);
    const url = `http://${host}:${port}${path}`;
    const answer = await request(url, { method, headers, ...(body && { body }) });
    return answer.body.json();
  }

  /** Sends the bytes over one connection at the pace they are taken, and drops it after `ms`. */
  flood(bytes: Buffer, ms: number): Promise<void> {
    const { host, port } = this.#target;
    return new Promise((resolve) => {
      const socket = connect(port, host);
      const timer = setTimeout(() => socket.destroy(), ms);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        clearTimeout(timer);
        resolve();
      });
      socket.resume();
      socket.write(bytes);
    });
  }
}
