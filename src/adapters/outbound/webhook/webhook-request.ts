import type { Endpoint } from '../../../domain/endpoint.ts';
import { jobJson } from '../../../domain/job-json.ts';
import type { Job } from '../../../domain/job.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** What all calls of an endpoint have in common. */
export interface CallTarget {
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  /** Names in lower case, so that each header is there once. */
  readonly headers: Record<string, string>;
}

/** A call to an endpoint as it goes over the wire, whichever client sends it. */
export interface WebhookRequest {
  readonly target: CallTarget;
  readonly body: Buffer;
}

/** Makes the calls of one client. What does not change from call to call is made once for each endpoint. */
export class WebhookRequests {
  readonly #userAgent: string;
  readonly #queuePrefix: string;
  readonly #targets = new WeakMap<Endpoint, CallTarget>();

  constructor({ userAgent, queuePrefix }: Pick<WebhookSettings, 'userAgent' | 'queuePrefix'>) {
    this.#userAgent = userAgent;
    this.#queuePrefix = queuePrefix;
  }

  /**
   * The job and the token of its attempt, for every method (specification, "Outbound call to a worker
   * endpoint", rule 1).
   */
  of(endpoint: Endpoint, job: Job, token: string): WebhookRequest {
    let target = this.#targets.get(endpoint);
    if (target === undefined) {
      target = callTarget(endpoint, this.#userAgent);
      this.#targets.set(endpoint, target);
    }
    const body = Buffer.from(JSON.stringify({ job: jobJson(job, this.#queuePrefix), token }));
    return { target, body };
  }
}

/**
 * The registration's headers win over the defaults. No compression is asked for: answers are small and it costs
 * both sides more than it saves.
 */
function callTarget(endpoint: Endpoint, userAgent: string): CallTarget {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'accept-encoding': 'identity',
  };
  for (const [name, value] of Object.entries(endpoint.headers ?? {})) {
    headers[name.toLowerCase()] = value;
  }
  const url = new URL(endpoint.url);
  const path = url.pathname + url.search;
  return { url, origin: url.origin, path, method: endpoint.method.toUpperCase(), headers };
}
