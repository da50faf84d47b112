import type { EndpointAnswer } from '../../domain/delivery.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import type { Job } from '../../domain/job.ts';

/** The one kind of failure of a call: its message is meant for the job's `failedReason`. */
export class EndpointCallError extends Error {
  override readonly name = 'EndpointCallError';
}

/** Calls the endpoints that process jobs (specification, "Outbound call to a worker endpoint"). */
export interface WebhookPort {
  /**
   * Sends `{"job": ..., "token": ...}` as JSON, for every method, and reads the whole answer whatever
   * its status. Redirects are not followed.
   *
   * @param signal aborts the call; the promise then rejects.
   * @throws EndpointCallError when no complete answer of acceptable size came in time: the endpoint's
   * `timeout` (ms) or else the configured default covers connecting, headers and body.
   */
  call(endpoint: Endpoint, job: Job, token: string, signal: AbortSignal): Promise<EndpointAnswer>;
}
