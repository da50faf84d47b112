import { createContext, handlerOf, type Context, type Handlers } from './context.ts';
import { shortened } from './deferred.ts';
import { Fail, messageOf, NotNow, Retry, VerificationError } from './errors.ts';
import { Reporter } from './reporter.ts';
import { bodyOf, headerOf, Verifier, type CallHeaders } from './signature.ts';
import { environment } from './transport.ts';
import type { Job } from './types.ts';

/** The outcome of one job of a batch. */
export type BatchOutcome =
  | { readonly status: 'completed'; readonly value: unknown }
  | {
      readonly status: 'failed';
      readonly reason: string;
      readonly retry?: boolean;
      readonly delay?: number;
    };

/** One job of a batch, with its own reports. */
export interface BatchJob extends Pick<Context, 'progress' | 'log'> {
  readonly job: Job;
}

export interface WorkerOptions extends Partial<Handlers> {
  readonly batch?: (
    jobs: readonly BatchJob[],
    context: Context,
  ) => readonly BatchOutcome[] | Promise<readonly BatchOutcome[]>;
  /** With it, calls are accepted with a right signature alone. */
  readonly secret?: string | readonly string[];
  readonly url?: string;
  readonly tolerance?: number;
  readonly now?: () => number;
  readonly onRejected?: (reason: string) => void;
}

/** What `node` uses of a request of Node.js, behind a parser or not. */
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

export interface WebhookWorker {
  fetch(request: Request): Promise<Response>;
  node(
    request: NodeRequest,
    response: NodeResponse,
    next?: (error: unknown) => void,
  ): Promise<void>;
  /** The parsed body of a call. Rejects with a VerificationError when it may not be accepted. */
  verify(headers: CallHeaders, rawBody: Uint8Array | string): Promise<unknown>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Item {
  readonly job: Job;
  readonly token: string;
  readonly children?: readonly Record<string, unknown>[];
}

const PARSED =
  'The body was parsed before it could be verified: mount the worker before express.json()';

export function ok(value?: unknown): BatchOutcome {
  return { status: 'completed', value };
}

export function fail(
  reason: string,
  options: { readonly retry?: boolean; readonly delay?: number } = {},
): BatchOutcome {
  return { status: 'failed', reason, ...options };
}

/** A worker that jobgate calls, for servers of all kinds. */
export function createWorker({
  handlers = {},
  otherwise,
  batch,
  secret,
  url = environment('JOBGATE_URL'),
  tolerance = 300_000,
  now = Date.now,
  onRejected,
}: WorkerOptions): WebhookWorker {
  const verifier = secret === undefined ? undefined : new Verifier(secret, tolerance, now);
  const named: Handlers = { handlers, ...(otherwise && { otherwise }) };

  const verify = async (headers: CallHeaders, rawBody: Uint8Array | string): Promise<unknown> => {
    const bytes = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
    await verifier?.verify(headers, bytes);
    return bodyOf(bytes);
  };

  const answer = async (
    headers: CallHeaders,
    bytes: Uint8Array,
    closed: AbortSignal,
  ): Promise<Answer> => {
    let body: unknown;
    try {
      body = await verify(headers, bytes);
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      try {
        onRejected?.(error.reason);
      } catch {
        // Who called is refused all the same.
      }
      return { status: 401, headers: { 'content-type': 'text/plain' }, body: 'Unauthorized' };
    }
    return run(headers, body, closed);
  };

  const run = (headers: CallHeaders, body: unknown, closed: AbortSignal): Promise<Answer> => {
    const time = headerOf(headers, 'jobgate-deadline');
    const bound = time === undefined || !/^\d+$/.test(time) ? undefined : Number(time);
    const ending = new AbortController();
    const end = (reason: unknown): void => ending.abort(reason);
    const timer =
      bound === undefined
        ? undefined
        : setTimeout(() => end(new Error('The deadline has passed')), bound);
    const onClosed = (): void => end(new Error('The call was closed'));
    closed.addEventListener('abort', onClosed);
    if (closed.aborted) onClosed();
    const leave = (): void => {
      clearTimeout(timer);
      closed.removeEventListener('abort', onClosed);
    };

    return new Promise<Answer>((resolve) => {
      const work = async (): Promise<unknown> => {
        const items = itemsOf(headers, body);
        const reporters = items.map(({ job, token }) => {
          const address = addressOf(headers, url, queueOf(headers), job.id, token);
          return new Reporter(address, end);
        });
        const [first] = items;
        const [reporter] = reporters;
        if (first === undefined || reporter === undefined) throw new Error('The call has no job');
        const context = createContext({
          queue: queueOf(headers),
          attempt: numberOf(headers, 'jobgate-attempt') ?? (first.job.attemptsMade ?? 0) + 1,
          maxAttempts: numberOf(headers, 'jobgate-max-attempts') ?? first.job.opts?.attempts ?? 1,
          deadline: bound === undefined ? null : Date.now() + bound,
          signal: ending.signal,
          reporter,
          children:
            headerOf(headers, 'jobgate-token') === undefined ? (first.children ?? []) : undefined,
          defer: (_deferred, deadline) => {
            leave();
            resolve({
              status: 202,
              headers: deadline === undefined ? {} : { 'jobgate-deadline': String(deadline) },
              body: '',
            });
          },
        });
        try {
          if (!isBatch(body)) return await handlerOf(named, first.job.name)(first.job, context);
          if (batch === undefined) throw new Error('No handler for batches');
          const jobs = items.map(({ job }, index) => ({
            job,
            progress: (value: unknown) => quiet((reporters[index] ?? reporter).progress(value)),
            log: (text: string) => quiet((reporters[index] ?? reporter).log(text)),
          }));
          return { results: resultsOf(items, await batch(jobs, context)) };
        } finally {
          await Promise.all(reporters.map((one) => one.flush()));
        }
      };
      work()
        .then(
          (value) => json(200, value ?? null),
          (error: unknown) => refusal(error),
        )
        .catch((error: unknown) => refusal(error))
        .then(resolve, resolve as () => void)
        .finally(leave)
        .catch(() => undefined);
    });
  };

  return {
    verify,
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      const { status, headers, body } = await answer(request.headers, bytes, request.signal);
      return new Response(status === 204 || body === '' ? null : body, { status, headers });
    },
    node: async (request, response, next) => {
      const closed = new AbortController();
      response.on('close', () => {
        if (!response.writableFinished) closed.abort();
      });
      try {
        const bytes = await rawBodyOf(request);
        const { status, headers, body } = await answer(request.headers, bytes, closed.signal);
        response.statusCode = status;
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        response.end(body);
      } catch (error) {
        if (next !== undefined) {
          next(error);
          return;
        }
        response.statusCode = 500;
        response.setHeader('content-type', 'text/plain');
        response.end(messageOf(error));
      }
    },
  };
}

/** @throws Error when only a parsed body is left. */
async function rawBodyOf(request: NodeRequest): Promise<Uint8Array> {
  for (const body of [request.rawBody, request.body]) {
    if (body instanceof Uint8Array) return body;
    if (typeof body === 'string' && body === request.rawBody) return new TextEncoder().encode(body);
  }
  if (request.body !== undefined) throw new Error(PARSED);
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

function isBatch(body: unknown): body is { readonly jobs: readonly Item[] } {
  return isObject(body) && 'batch' in body && Array.isArray(body['jobs']);
}

/** The jobs of a call in any of its forms. @throws Error for another body. */
function itemsOf(headers: CallHeaders, body: unknown): readonly Item[] {
  const token = headerOf(headers, 'jobgate-token');
  const id = headerOf(headers, 'jobgate-job-id');
  if (token !== undefined && id !== undefined) {
    const name = decoded(headerOf(headers, 'jobgate-job-name') ?? '');
    return [{ job: { id: decoded(id), name, data: body }, token }];
  }
  const items: unknown[] = isBatch(body) ? [...body.jobs] : [body];
  for (const item of items) {
    const job = isObject(item) ? item['job'] : undefined;
    if (!isObject(job) || typeof job['id'] !== 'string' || typeof job['name'] !== 'string') {
      throw new Error('The call has no job');
    }
  }
  return items as Item[];
}

function addressOf(
  headers: CallHeaders,
  url: string | undefined,
  queue: string,
  id: string,
  token: string,
) {
  const callback = headerOf(headers, 'jobgate-callback');
  const base = url ?? callback?.slice(0, callback.lastIndexOf('/queues/'));
  return base === undefined ? undefined : { url: base.replace(/\/+$/, ''), queue, id, token };
}

function queueOf(headers: CallHeaders): string {
  return decoded(headerOf(headers, 'jobgate-queue') ?? '');
}

function numberOf(headers: CallHeaders, name: string): number | undefined {
  const value = headerOf(headers, name);
  return value === undefined ? undefined : Number(value);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function resultsOf(items: readonly Item[], outcomes: readonly BatchOutcome[]) {
  if (outcomes.length !== items.length) {
    throw new Error(
      `The batch handler returned ${outcomes.length} results for ${items.length} jobs`,
    );
  }
  return outcomes.map((outcome, index) => ({ id: items[index]?.job.id, ...outcome }));
}

function refusal(error: unknown): Answer {
  if (error instanceof NotNow) {
    const headers = {
      'retry-after': seconds(error.after),
      ...(error.hold !== undefined && { 'jobgate-hold': error.hold }),
    };
    return problem(429, 'Not now', headers);
  }
  const reason = shortened(messageOf(error));
  if (error instanceof Fail) return problem(422, reason, { 'jobgate-no-retry': 'true' });
  const after = error instanceof Retry ? error.after : undefined;
  return problem(500, reason, after === undefined ? {} : { 'retry-after': seconds(after) });
}

function seconds(ms: number): string {
  return String(Math.ceil(ms / 1000));
}

function problem(status: number, detail: string, headers: Record<string, string>): Answer {
  const body = { type: 'about:blank', title: 'The job failed', status, detail };
  return json(status, body, { 'content-type': 'application/problem+json', ...headers });
}

function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  const body = JSON.stringify(value);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function quiet(sent: Promise<void>): Promise<void> {
  sent.catch(() => undefined);
  return sent;
}
