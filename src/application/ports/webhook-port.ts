import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { EndedCall } from '../../domain/attempts/attempt-record.ts';
import type { EndpointAnswer } from '../../domain/calls/delivery.ts';
import type { Endpoint } from '../../domain/calls/endpoint.ts';
import type { FlowChild } from '../../domain/flows/flow.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { Cancellation } from '../../domain/calls/cancellation.ts';
import type { TraceContext } from './tracing-port.ts';

/**
 * The call failed: no complete answer came. The message becomes the job's `failedReason`. The outcome is
 * `failed` when the endpoint sent an unacceptable answer. `final` when no other attempt may follow.
 */
export class EndpointCallError extends Error {
  override readonly name = 'EndpointCallError';

  constructor(
    message: string,
    readonly outcome: EndedCall['outcome'],
    readonly final = false,
  ) {
    super(message);
  }
}

/**
 * The call was not made because this process or its machine ran out of something: file descriptors, ports
 * or memory. The endpoint was not reached. The message names what ran out, and the target.
 */
export class ReplicaShortageError extends Error {
  override readonly name = 'ReplicaShortageError';
}

/** A call with several jobs. */
export interface BatchCall {
  readonly id: string;
  readonly queue: QueueName;
  readonly attempts: readonly Attempt[];
}

/** Calls the endpoints that process jobs. See the specification, "Outbound call to a worker endpoint". */
export interface WebhookPort {
  /**
   * Sends `{"job": ..., "token": ...}` as JSON, or another body that the endpoint asks for, with every method, and
   * reads the whole answer whatever its status. Redirects are not followed.
   *
   * @param children of the job, which go beside it unless the endpoint asks for another body.
   * @param trace of the call, which goes to the endpoint in headers.
   * @param cancellation ends the call, which alone listens to it; the promise then rejects.
   * @throws EndpointCallError when no complete answer of acceptable size came in time. The timeout covers
   * connecting, headers and body: that of the endpoint or else the configured default, or of the job when that
   * is shorter.
   * @throws ReplicaShortageError when this replica has run out of the resources for a connection.
   */
  call(
    endpoint: Endpoint,
    job: Job,
    token: string,
    cancellation: Cancellation,
    children?: readonly FlowChild[],
    trace?: TraceContext,
  ): Promise<EndpointAnswer>;

  /**
   * Sends `{"batch": ..., "jobs": [{"job", "token", "children"?}]}` as one message, whose timeout is the shortest of
   * the endpoint and the jobs; otherwise as {@link call}.
   *
   * @throws EndpointCallError, ReplicaShortageError as {@link call}.
   */
  callBatch(
    endpoint: Endpoint,
    batch: BatchCall,
    cancellation: Cancellation,
    trace?: TraceContext,
  ): Promise<EndpointAnswer>;

  /** How many bytes an attempt takes in the body of a call with several jobs. */
  bytesInBatch(attempt: Attempt): number;
}
