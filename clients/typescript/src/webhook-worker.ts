import { resultsOf, type BatchHandler } from './batch.ts';
import { allChildren } from './children.ts';
import { createContext, handlerOf, quiet, type Children, type Handlers } from './context.ts';
import { messageOf, VerificationError } from './errors.ts';
import { rawBodyOf, type NodeRequest, type NodeResponse } from './node-request.ts';
import { Reporter } from './reporter.ts';
import { Verifier, type CallHeaders } from './signature.ts';
import { environment, Transport } from './transport.ts';
import {
  addressOf,
  bodyOf,
  callOf,
  wholeNumberOf,
  type CallItem,
  type WebhookCall,
} from './webhook-call.ts';
import { deferral, refusal, success, type WorkerAnswer } from './worker-answer.ts';

export interface WorkerOptions extends Partial<Handlers> {
  /** Handles calls with several jobs. */
  readonly batch?: BatchHandler;
  /** With it, calls are accepted with a right signature alone. */
  readonly secret?: string | readonly string[];
  /** Where to report: `JOBGATE_URL` by default, else the origin that the call names. */
  readonly url?: string;
  /** Milliseconds that the clock of a call may differ by. */
  readonly tolerance?: number;
  readonly now?: () => number;
  /** Is told why a call was refused. */
  readonly onRejected?: (reason: string) => void;
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
    return bodyOf(headers, bytes);
  };

  const answer = async (
    headers: CallHeaders,
    bytes: Uint8Array,
    closed: AbortSignal,
  ): Promise<WorkerAnswer> => {
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

  /** Resolves with the answer: when the handler has ended, or has deferred. */
  const run = (headers: CallHeaders, body: unknown, closed: AbortSignal): Promise<WorkerAnswer> => {
    const bound = wholeNumberOf(headers, 'jobgate-deadline');
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

    return new Promise<WorkerAnswer>((resolve) => {
      const work = async (): Promise<WorkerAnswer> => {
        const call = callOf(headers, body);
        const held = new Set(call.items);
        const reported = call.items.map((item) => {
          const lost = (error: unknown): void => {
            held.delete(item);
            // A cancellation ends a job of a batch alone.
            if (held.size === 0) end(error);
          };
          const address = addressOf(headers, url, call.queue, item);
          return { ...item, reporter: new Reporter(address, lost) };
        });
        const reporters = reported.map(({ reporter }) => reporter);
        const context = createContext({
          queue: call.queue,
          attempt: call.attempt,
          maxAttempts: call.maxAttempts,
          deadline: bound === undefined ? null : Date.now() + bound,
          signal: ending.signal,
          reporters,
          children: () => childrenOf(call, reported),
          defer: (_deferred, deadline) => {
            leave();
            resolve(deferral(deadline));
          },
        });
        try {
          const { job } = call.items[0];
          if (!call.isBatch) return success(await handlerOf(named, job.name)(job, context));
          if (batch === undefined) throw new Error('No handler for batches');
          const elements = reported.map(({ job, reporter }) => ({
            job,
            progress: (value: unknown) => quiet(reporter.progress(value)),
            log: (text: string) => quiet(reporter.log(text)),
          }));
          const ids = call.items.map(({ job }) => job.id);
          return success({ results: resultsOf(ids, await batch(elements, context)) });
        } finally {
          await Promise.all(reporters.map((reporter) => reporter.flush()));
        }
      };
      work()
        .catch(refusal)
        .then(resolve, resolve)
        .finally(leave)
        .catch(() => undefined);
    });
  };

  return {
    verify,
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      const { status, headers, body } = await answer(request.headers, bytes, request.signal);
      return new Response(body === '' ? null : body, { status, headers });
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

/** The children of all jobs of a call. */
async function childrenOf(
  { queue, hasEnvelope }: WebhookCall,
  items: readonly (CallItem & { readonly reporter: Reporter })[],
): Promise<Children> {
  const token = environment('JOBGATE_TOKEN');
  const lists = items.map(async ({ job, children, reporter }) => {
    if (hasEnvelope && children === undefined) return [];
    const transport =
      token !== undefined && token !== '' && reporter.hasAddress
        ? new Transport({ url: reporter.address.url, token })
        : undefined;
    return allChildren(children, transport, queue, job.id);
  });
  return (await Promise.all(lists)).flat();
}
