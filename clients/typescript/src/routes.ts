import type { Call, CallOptions, RequestOptions, Transport } from './transport.ts';

/** Requests below a path. */
export class Routes {
  protected readonly transport: Transport;
  protected readonly path: string;

  constructor(transport: Transport, path: string) {
    this.transport = transport;
    this.path = path;
  }

  protected async ask<Result>(method: string, path: string, call?: Call): Promise<Result> {
    return (await this.transport.call(method, this.path + path, call)).body as Result;
  }

  /** Options other than those of every call form the query. */
  protected read<Result>(path: string, options: object = {}): Promise<Result> {
    const { signal, timeout, ...query } = options as CallOptions;
    return this.ask<Result>('GET', path, { signal, timeout, query });
  }

  /** Options other than those of every call form the body. */
  protected send<Result = unknown>(
    path: string,
    options: object = {},
    method = 'POST',
  ): Promise<Result> {
    const { signal, timeout, ...body } = options as CallOptions;
    return this.ask<Result>(method, path, { signal, timeout, body });
  }

  /** Sends a request that takes effect once, even when it is repeated. */
  protected once<Result>(
    path: string,
    body: unknown,
    idempotencyKey: string = crypto.randomUUID(),
    options: RequestOptions = {},
  ): Promise<Result> {
    return this.ask<Result>('POST', path, {
      ...options,
      body,
      headers: { 'idempotency-key': idempotencyKey },
      mayRepeat: (tries) => tries < this.transport.tries,
    });
  }

  protected delete<Result = unknown>(path: string, options?: CallOptions): Promise<Result> {
    return this.ask<Result>('DELETE', path, options);
  }
}

/** A name as a path segment. @throws Error for a name that would select another path. */
export function at(name: string): string {
  if (/^\.?\.?$/.test(name)) throw new Error(`${name} is not a name`);
  return `/${encodeURIComponent(name)}`;
}
