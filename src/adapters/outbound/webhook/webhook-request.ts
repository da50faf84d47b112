import type { Endpoint } from '../../../domain/endpoint.ts';
import { jobJson } from '../../../domain/job-json.ts';
import type { Job } from '../../../domain/job.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** A call to an endpoint as it goes over the wire, whichever client sends it. */
export interface WebhookRequest {
  readonly url: URL;
  readonly method: string;
  /** Names in lower case, so that each header is there once. */
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/**
 * The job and the token of its attempt, for every method (specification, "Outbound call to a worker
 * endpoint", rule 1). The registration's headers win over the defaults. No compression is asked for:
 * answers are small and it costs both sides more than it saves.
 */
export function webhookRequest(
  endpoint: Endpoint,
  job: Job,
  token: string,
  { userAgent, queuePrefix }: Pick<WebhookSettings, 'userAgent' | 'queuePrefix'>,
): WebhookRequest {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'accept-encoding': 'identity',
  };
  for (const [name, value] of Object.entries(endpoint.headers ?? {})) {
    headers[name.toLowerCase()] = value;
  }
  return {
    url: new URL(endpoint.url),
    method: endpoint.method.toUpperCase(),
    headers,
    body: Buffer.from(JSON.stringify({ job: jobJson(job, queuePrefix), token })),
  };
}
