import type { EndpointAnswer } from '../../domain/delivery.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import type { Job } from '../../domain/job.ts';

/** How a call fails that was made or could have been: its message is meant for the job's `failedReason`. */
export class EndpointCallError extends Error {
  override readonly name = 'EndpointCallError';
}

/**
 * The call was not made for want of something that the process or its machine has only so many of: file
 * descriptors, ports, memory. The endpoint knows nothing of it. The message names what, and the target.
 */
export class ReplicaShortageError extends Error {
  override readonly name = 'ReplicaShortageError';
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
   * @throws ReplicaShortageError when no connection could be opened for want of what that takes here.
   */
  call(endpoint: Endpoint, job: Job, token: string, signal: AbortSignal): Promise<EndpointAnswer>;
}
