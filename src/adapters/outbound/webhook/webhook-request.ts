import { callTimeout } from '../../../domain/call-timeout.ts';
import type { Endpoint } from '../../../domain/endpoint.ts';
import { jobJson } from '../../../domain/job-json.ts';
import type { Job } from '../../../domain/job.ts';
import { headerValue } from './header-value.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** What all calls of an endpoint have in common. */
export interface CallTarget {
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  /** The headers that every call has, as those of a request. */
  readonly headers: readonly string[];
}

/** A call to an endpoint as it goes over the wire, whichever client sends it. */
export interface WebhookRequest {
  readonly target: CallTarget;
  /** Names in lower case and values in turn; each name is there once. */
  readonly headers: string[];
  readonly body: Buffer;
  /** Longest duration of the whole call, in milliseconds. */
  readonly timeout: number;
}

type RequestSettings = Pick<WebhookSettings, 'defaultTimeout' | 'userAgent' | 'queuePrefix'>;

/** Makes the calls of one client. What does not change from call to call is made once for each endpoint. */
export class WebhookRequests {
  readonly #settings: RequestSettings;
  readonly #targets = new WeakMap<Endpoint, CallTarget>();

  constructor(settings: RequestSettings) {
    this.#settings = settings;
  }

  /**
   * The job and the token of its attempt, for every method (specification, "Outbound call to a worker
   * endpoint", rule 1).
   */
  of(endpoint: Endpoint, job: Job, token: string): WebhookRequest {
    const { defaultTimeout, userAgent, queuePrefix } = this.#settings;
    let target = this.#targets.get(endpoint);
    if (target === undefined) {
      target = callTarget(endpoint, userAgent);
      this.#targets.set(endpoint, target);
    }
    const timeout = callTimeout(endpoint.timeout ?? defaultTimeout, job);
    const headers = callHeaders(target, job, timeout);
    const body = Buffer.from(JSON.stringify({ job: jobJson(job, queuePrefix), token }));
    return { target, headers, body, timeout };
  }
}

/**
 * The registration's headers win over the defaults. No compression is asked for: answers are small and it costs
 * both sides more than it saves.
 */
function callTarget(endpoint: Endpoint, userAgent: string): CallTarget {
  const headers = new Map([
    ['content-type', 'application/json'],
    ['user-agent', userAgent],
    ['accept-encoding', 'identity'],
  ]);
  for (const [name, value] of Object.entries(endpoint.headers ?? {})) {
    headers.set(name.toLowerCase(), value);
  }
  const url = new URL(endpoint.url);
  return {
    url,
    origin: url.origin,
    path: url.pathname + url.search,
    method: endpoint.method.toUpperCase(),
    headers: [...headers].flat(),
  };
}

/** What tells of the job without its body; no registration sets these. */
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
  ];
}
