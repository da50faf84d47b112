import type { TraceContext } from '../../../application/ports/tracing-port.ts';
import { callTimeout } from '../../../domain/calls/call-timeout.ts';
import type { Endpoint, EndpointBody } from '../../../domain/calls/endpoint.ts';
import type { Job } from '../../../domain/jobs/job.ts';
import type { Attempt } from '../../../domain/attempts/attempt.ts';
import { keptOrMade } from '../../../domain/values/kept-or-made.ts';
import type {
  BatchCall,
  DescribedCall,
  EndpointCall,
  JobCall,
  SentMessage,
} from '../../../application/ports/webhook-port.ts';
import { batchBody, jobInBatch } from './batch-body.ts';
import { callBody } from './call-body.ts';
import { batchMessageId, messageId } from '../../shared/message-id.ts';
import { CallSigner } from './call-signer.ts';
import { headerRecord } from './header-record.ts';
import { headerValue } from './header-value.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** What all calls of an endpoint have in common. */
export interface CallTarget {
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly body: EndpointBody;
  /** The statuses of answers that complete a job, where the endpoint names them. */
  readonly success: readonly string[] | undefined;
  /** The headers that every call has, as those of a request. */
  readonly headers: readonly string[];
  /** Whether the type of the body is among them. */
  readonly hasContentType: boolean;
  /** Whether the registration's own trace is among them. */
  readonly hasTrace: boolean;
  /** Undefined for an endpoint without signed calls. */
  readonly signer: CallSigner | undefined;
}

/** A call to an endpoint as any client sends it over the wire. */
export interface WebhookRequest {
  readonly target: CallTarget;
  /** Names in lower case and values in turn; each name occurs once. */
  readonly headers: string[];
  /** Null for a call that has none. */
  readonly body: Buffer | null;
  /** The longest duration of the whole call, in milliseconds. */
  readonly timeout: number;
}

/**
 * The longest URL in a header of a call, in characters: servers refuse a longer head. Only other clients of the store
 * add jobs with ids that make it longer.
 */
const LONGEST_CALLBACK = 4096;

/** An answer to a message completes no job, so that one that cannot be read as a whole does no harm. */
const COMPLETES_NOTHING: readonly string[] = [];

type RequestSettings = Pick<
  WebhookSettings,
  'defaultTimeout' | 'userAgent' | 'queuePrefix' | 'clock' | 'publicUrl'
>;

/** Makes the calls of one client. The parts that do not change between calls are made once for each endpoint. */
export class WebhookRequests {
  readonly #settings: RequestSettings;
  readonly #targets = new WeakMap<Endpoint, CallTarget>();
  readonly #inBatches = new WeakMap<Attempt, string>();

  constructor(settings: RequestSettings) {
    this.#settings = settings;
  }

  /** @param left how much time the call has left when it is sent again, in milliseconds. */
  of(call: EndpointCall, left?: number): WebhookRequest {
    const { endpoint, trace } = call;
    if ('bytes' in call) return this.#ofBytes(endpoint, call.bytes, left);
    const target = this.#targetOf(endpoint);
    if ('batch' in call) return this.#ofBatch(target, endpoint, call.batch, trace, left);
    if ('message' in call) return this.#ofMessage(target, endpoint, call.message, left);
    return this.#ofJob(target, endpoint, call, trace, left);
  }

  /** The call as it is sent once more, with what is new in it. */
  async renewed(call: EndpointCall, limits: { readonly left: number }): Promise<WebhookRequest> {
    const renewed = await call.renewed?.();
    return this.of({ ...call, ...renewed }, limits.left);
  }

  #ofJob(
    target: CallTarget,
    endpoint: Endpoint,
    { job, token, children, steps }: JobCall,
    trace: TraceContext | undefined,
    left: number | undefined,
  ): WebhookRequest {
    const { defaultTimeout, queuePrefix, clock, publicUrl } = this.#settings;
    const timeout = left ?? callTimeout(endpoint.timeout ?? defaultTimeout, job);
    const body = callBody(target.body, job, token, queuePrefix, { children, steps });
    const headers = callHeaders(target, job, timeout);
    if (body !== undefined && !target.hasContentType)
      headers.push('content-type', body.contentType);
    if (trace !== undefined && !target.hasTrace) pushTrace(headers, trace);
    if (target.body !== 'envelope') headers.push('jobgate-token', token);
    if (steps !== undefined && steps.length > 0) {
      headers.push('jobgate-steps', String(steps.length));
    }
    if (target.signer !== undefined) {
      headers.push(...target.signer.headers(messageId(job), clock.now(), body?.bytes));
    }
    if (publicUrl !== undefined) {
      const url = jobUrl(publicUrl, job);
      if (url.length <= LONGEST_CALLBACK) headers.push('jobgate-callback', url);
    }
    return { target, headers, body: body?.bytes ?? null, timeout };
  }

  #ofBatch(
    target: CallTarget,
    endpoint: Endpoint,
    { id, queue, attempts }: BatchCall,
    trace: TraceContext | undefined,
    left: number | undefined,
  ): WebhookRequest {
    const { defaultTimeout, clock } = this.#settings;
    const most = endpoint.timeout ?? defaultTimeout;
    const timeout =
      left ?? attempts.reduce((shortest, { job }) => callTimeout(shortest, job), most);
    const { bytes, contentType } = batchBody(id, attempts, (each) => this.#inBatch(each));
    const headers = [
      ...target.headers,
      'jobgate-queue',
      headerValue(queue),
      'jobgate-batch-size',
      String(attempts.length),
      'jobgate-deadline',
      String(timeout),
      ...groupHeader(groupOfAll(attempts)),
    ];
    if (!target.hasContentType) headers.push('content-type', contentType);
    if (trace !== undefined && !target.hasTrace) pushTrace(headers, trace);
    if (target.signer !== undefined) {
      headers.push(...target.signer.headers(batchMessageId(queue, id), clock.now(), bytes));
    }
    return { target, headers, body: bytes, timeout };
  }

  #ofMessage(
    target: CallTarget,
    endpoint: Endpoint,
    { identity, contentType, body }: SentMessage,
    left: number | undefined,
  ): WebhookRequest {
    const bytes = Buffer.from(body);
    const id = messageId(identity);
    const headers = [...target.headers];
    if (!target.hasContentType && contentType !== undefined) {
      headers.push('content-type', contentType);
    }
    if (target.signer === undefined) headers.push('webhook-id', id);
    else headers.push(...target.signer.headers(id, this.#settings.clock.now(), bytes));
    const timeout = left ?? endpoint.timeout ?? this.#settings.defaultTimeout;
    const sent = bytes.length === 0 ? null : bytes;
    return { target: { ...target, success: COMPLETES_NOTHING }, headers, body: sent, timeout };
  }

  /** Of an endpoint that is called once nothing is kept. */
  #ofBytes(endpoint: Endpoint, bytes: Buffer, left: number | undefined): WebhookRequest {
    const { defaultTimeout, userAgent } = this.#settings;
    const target = { ...callTarget(endpoint, userAgent), success: COMPLETES_NOTHING };
    const [headers, body] = [[...target.headers], bytes.length === 0 ? null : bytes];
    return { target, headers, body, timeout: left ?? endpoint.timeout ?? defaultTimeout };
  }

  bytesInBatch(attempt: Attempt): number {
    return Buffer.byteLength(this.#inBatch(attempt));
  }

  /** Serialized once: its size is measured before the call is made. */
  #inBatch(attempt: Attempt): string {
    const { queuePrefix } = this.#settings;
    return keptOrMade(this.#inBatches, attempt, () => jobInBatch(attempt, queuePrefix));
  }

  #targetOf(endpoint: Endpoint): CallTarget {
    const { userAgent } = this.#settings;
    return keptOrMade(this.#targets, endpoint, () => callTarget(endpoint, userAgent));
  }
}

/** A call as it may be shown. */
export function describedCall({ target, headers, body }: WebhookRequest): DescribedCall {
  return {
    method: target.method,
    url: target.url.href,
    headers: headerRecord(headers),
    body: body === null ? null : body.toString(),
  };
}

/**
 * The registration's headers win over the defaults. It asks for no compression: answers are small, and compression
 * costs both sides more than it saves.
 */
function callTarget(endpoint: Endpoint, userAgent: string): CallTarget {
  const { method, body = 'envelope', success, signing, secrets } = endpoint;
  const headers = new Map([
    ['user-agent', userAgent],
    ['accept-encoding', 'identity'],
  ]);
  for (const [name, value] of Object.entries(endpoint.headers ?? {})) {
    headers.set(name.toLowerCase(), value);
  }
  const url = new URL(endpoint.url);
  const written: string[] = [];
  for (const [name, value] of headers) written.push(name, value);
  return {
    url,
    origin: url.origin,
    path: url.pathname + url.search,
    method: method.toUpperCase(),
    body,
    success,
    headers: written,
    hasContentType: headers.has('content-type'),
    hasTrace: headers.has('traceparent') || headers.has('tracestate'),
    signer: signing === true && secrets !== undefined ? new CallSigner(secrets) : undefined,
  };
}

function pushTrace(headers: string[], { traceparent, tracestate }: TraceContext): void {
  headers.push('traceparent', traceparent);
  if (tracestate !== undefined) headers.push('tracestate', tracestate);
}

/** The URL for reports on the job. */
function jobUrl(publicUrl: string, { queue, id }: Job): string {
  const path = ['queues', queue, 'jobs', id].map((part) => encodeURIComponent(part.toWellFormed()));
  return `${publicUrl}/${path.join('/')}`;
}

/** The group that all jobs of a batch share, as in calls by group. */
function groupOfAll(attempts: readonly Attempt[]): string | undefined {
  const [first, ...others] = attempts.map(({ job }) => job.opts.group?.id);
  return others.every((group) => group === first) ? first : undefined;
}

function groupHeader(group: string | undefined): readonly string[] {
  return group === undefined ? [] : ['jobgate-group', headerValue(group)];
}

/** The headers that describe the job without its body. No registration can set these. */
function callHeaders({ headers }: CallTarget, job: Job, timeout: number): string[] {
  return [
    ...headers,
    'jobgate-queue',
    headerValue(job.queue),
    'jobgate-job-id',
    headerValue(job.id),
    'jobgate-job-name',
    headerValue(job.name),
    'jobgate-attempt',
    String(job.attemptsMade + 1),
    'jobgate-max-attempts',
    String(Math.max(job.opts.attempts, 1)),
    'jobgate-deadline',
    String(timeout),
    ...groupHeader(job.opts.group?.id),
  ];
}
