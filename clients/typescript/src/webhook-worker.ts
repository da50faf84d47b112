import type { JobSteps } from './api.ts';
import { resultsOf, type BatchHandler } from './batch.ts';
import { allChildren } from './children.ts';
import { createContext, handlerOf, quiet, type Children, type Handlers } from './context.ts';
import { messageOf } from './errors.ts';
import { headersOf, wholeNumberOf, type CallHeaders, type HeaderTexts } from './headers.ts';
import { rawBodyOf, type NodeRequest, type NodeResponse } from './node-request.ts';
import { Reporter, WITHOUT_ADDRESS } from './reporter.ts';
import { verifying } from './signature.ts';
import { SavedSteps, Steps, Suspension, valuesOf, type StepValues } from './steps.ts';
import { environment, sleep, Transport } from './transport.ts';
import { addressOf, bodyOf, callOf, type CallItem, type WebhookCall } from './webhook-call.ts';
import { deferral, refusal, success, withCost } from './worker-answer.ts';

export interface WorkerOptions extends Partial<Handlers> {
  /** Handles calls for several jobs. */
  readonly batch?: BatchHandler;
  /**
   * The secret of the worker, or several: only calls that one of them signed are accepted. `false` accepts unsigned
   * calls; without a value, such as that of an unset variable, `createWorker` throws.
   */
  readonly secret: string | readonly string[] | false | undefined;
  /** The URL for reports: `JOBGATE_URL` by default, or else the origin that the call names. */
  readonly url?: string;
  /** Maximum clock skew (ms) of a signed call. */
  readonly tolerance?: number;
  readonly now?: () => number;
  /** Called with the reason when a call is refused. */
  readonly onRejected?: (reason: string) => void;
}

export interface WebhookWorker {
  fetch(request: Request): Promise<Response>;
  node(
    request: NodeRequest,
    response: NodeResponse,
    next?: (error: unknown) => void,
  ): Promise<void>;
  /** Returns the parsed body of a call. Rejects with a VerificationError when it must not be accepted. */
  verify(headers: CallHeaders, rawBody: Uint8Array | string): Promise<unknown>;
}

/**
 * Creates a worker that jobgate calls, for any kind of server.
 *
 * @throws Error for a missing or malformed secret.
 */
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
  const verifySignature = secret === false ? undefined : verifying(secret, tolerance, now);
  if (!url) console.warn(`jobgate: ${WITHOUT_ADDRESS}`);
  const named: Handlers = { handlers, otherwise };

  const verifiedBody = async (headers: HeaderTexts, bytes: Uint8Array): Promise<unknown> => {
    await verifySignature?.(headers, bytes);
    return bodyOf(headers, bytes);
  };

  const answer = async (
    given: CallHeaders,
    bytes: Uint8Array,
    closed: AbortSignal,
  ): Promise<Response> => {
    const headers = headersOf(given);
    let body: unknown;
    try {
      body = await verifiedBody(headers, bytes);
    } catch (error) {
      try {
        onRejected?.(messageOf(error));
      } catch {
        // The call is refused regardless.
      }
      return new Response('Unauthorized', { status: 401 });
    }
    return run(headers, body, closed);
  };

  /** Resolves with the answer once the handler has ended or deferred. */
  const run = (headers: HeaderTexts, body: unknown, closed: AbortSignal): Promise<Response> => {
    const ending = new AbortController();
    const left = new AbortController();
    const leave = (): void => left.abort();
    const onClosed = (): void => ending.abort(new Error('The call was closed'));
    closed.addEventListener('abort', onClosed, { signal: left.signal });
    if (closed.aborted) onClosed();
    const bound = wholeNumberOf(headers, 'jobgate-deadline');
    if (bound !== undefined) {
      void sleep(bound, left.signal).then(() => {
        if (!left.signal.aborted) ending.abort(new Error('The deadline has passed'));
      });
    }

    return new Promise((resolve, reject) => {
      let single: Reporter | undefined;
      const work = async (): Promise<Response> => {
        const call = callOf(headers, body);
        const held = new Set(call.items);
        // The token of a test is good for nothing.
        const isTest = headers.get('jobgate-test') === 'true';
        const unsent = isTest
          ? () => Promise.resolve(Response.json({}, { status: 201 }))
          : undefined;
        const reported = call.items.map((item) => ({
          ...item,
          reporter: new Reporter(
            addressOf(headers, url, call.queue, item),
            (error) => {
              held.delete(item);
              // A cancellation ends only one job of a batch.
              if (held.size === 0) ending.abort(error);
            },
            unsent,
          ),
        }));
        const reporters = reported.map(({ reporter }) => reporter);
        const answer = { isDeferred: false };
        const context = createContext({
          queue: call.queue,
          attempt: call.attempt,
          maxAttempts: call.maxAttempts,
          deadline: bound === undefined ? null : Date.now() + bound,
          signal: ending.signal,
          reporters,
          children: () => childrenOf(call, reported),
          defer: (deadline) => {
            answer.isDeferred = true;
            leave();
            resolve(deferral(deadline));
          },
        });
        try {
          if (!call.isBatch) {
            const [{ job, reporter }] = reported as [Reported];
            const steps = new Steps(reporter, () => stepsOf(call, reporter));
            single = reporter;
            const handled = handlerOf(named, job.name)(job, { ...context, steps });
            const value = await Promise.race([handled, steps.suspended]);
            // The answer of the call was that of the deferral.
            if (answer.isDeferred && value instanceof Suspension) {
              await reporter.outcome('suspend', value.answer);
            }
            return success(value);
          }
          if (batch === undefined) throw new Error('No handler for batches');
          const elements = reported.map(({ job, reporter, steps = {} }) => ({
            job,
            steps: new SavedSteps(reporter, () => Promise.resolve(new Map(Object.entries(steps)))),
            progress: (value: unknown) => quiet(reporter.progress(value)),
            log: (text: string) => quiet(reporter.log(text)),
            cost: (given: number) => void (reporter.cost = given),
          }));
          const outcomes = await batch(elements, context);
          const ended = reported.map(({ job, reporter }) => ({ id: job.id, cost: reporter.cost }));
          return success({ results: resultsOf(ended, outcomes) });
        } finally {
          await Promise.all(reporters.map((reporter) => reporter.flush()));
        }
      };
      work()
        .catch(refusal)
        .then((answered) => withCost(answered, single?.cost))
        .finally(leave)
        .then(resolve, reject);
    });
  };

  return {
    verify: (headers, rawBody) =>
      verifiedBody(
        headersOf(headers),
        typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody,
      ),
    fetch: async (request) =>
      answer(request.headers, new Uint8Array(await request.arrayBuffer()), request.signal),
    node: async (request, response, next) => {
      const closed = new AbortController();
      response.on('close', () => {
        if (!response.writableFinished) closed.abort();
      });
      try {
        const answered = await answer(request.headers, await rawBodyOf(request), closed.signal);
        response.statusCode = answered.status;
        answered.headers.forEach((value, name) => response.setHeader(name, value));
        response.end(await answered.text());
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

type Reported = CallItem & { readonly reporter: Reporter };

/** The saved steps of the job of a call. */
async function stepsOf({ items, steps }: WebhookCall, reporter: Reporter): Promise<StepValues> {
  const [{ steps: carried }] = items;
  if (carried !== undefined || steps === 0) return new Map(Object.entries(carried ?? {}));
  return valuesOf((await reporter.ask('GET', 'steps')).body as JobSteps);
}

/** The children of all jobs of a call. */
async function childrenOf(
  { queue, hasEnvelope }: WebhookCall,
  items: readonly Reported[],
): Promise<Children> {
  const token = environment('JOBGATE_TOKEN');
  const lists = items.map(async ({ job, children, reporter }) => {
    if (hasEnvelope && children === undefined) return [];
    const transport =
      token && reporter.hasAddress ? new Transport(reporter.address().url, token, {}) : undefined;
    return allChildren(children, transport, queue, job.id);
  });
  return (await Promise.all(lists)).flat();
}
