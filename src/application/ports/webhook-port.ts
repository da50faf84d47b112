import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { EndedCall } from '../../domain/attempts/attempt-record.ts';
import type { EndpointAnswer } from '../../domain/calls/delivery.ts';
import type { Endpoint } from '../../domain/calls/endpoint.ts';
import type { FlowChild } from '../../domain/flows/flow-child.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { Cancellation } from '../../domain/calls/cancellation.ts';
import type { NewStep } from '../../domain/steps/step.ts';
import type { TraceContext } from './tracing-port.ts';

/**
 * The call failed: no complete answer arrived. The message becomes the job's `failedReason`. The outcome is `failed`
 * when the endpoint sent an unacceptable answer. `final` when no further attempt may follow.
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
 * The call was not made because this process or its machine ran out of a resource: file descriptors, ports or memory.
 * The endpoint was not reached. The message names the resource and the target.
 */
export class ReplicaShortageError extends Error {
  override readonly name = 'ReplicaShortageError';
}

/** A call for several jobs. */
export interface BatchCall {
  readonly id: string;
  readonly queue: QueueName;
  readonly attempts: readonly Attempt[];
}

/**
 * What a `webhook-id` is a digest of: the same for all attempts at a job or a delivery, and different for any other. An
 * id may be used again, but not with the same timestamp.
 */
export type MessageIdentity = Pick<Job, 'queue' | 'id' | 'timestamp'>;

/** A message to an endpoint that is about no single job. */
export interface SentMessage {
  /** Absent where the endpoint names it, or the body has none. */
  readonly contentType?: string;
  readonly body: string;
  /** The same whenever the message is sent again. */
  readonly identity: MessageIdentity;
}

/** The very bytes of a message, whose endpoint is that of this call alone and says all else. */
export interface SentBytes {
  readonly bytes: Buffer;
}

/** A call for one job. */
export interface JobCall {
  readonly job: Job;
  /** The token of its attempt. */
  readonly token: string;
  /** The children of the job, which are sent along unless the endpoint asks for another body. */
  readonly children?: readonly FlowChild[] | undefined;
  /** Its saved steps, which are sent along like the children; absent for a job or an endpoint without steps. */
  readonly steps?: readonly NewStep[] | undefined;
}

/** The parts of a call that are read again before it is sent once more. */
export type RenewedCall = Pick<JobCall, 'steps'> | { readonly batch: BatchCall };

/**
 * A call to an endpoint:
 *
 * - for a job: `{"job": ..., "token": ...}` as JSON, or another body that the endpoint asks for;
 * - for several jobs: `{"batch": ..., "jobs": [{"job", "token", "children"?}]}`;
 * - with a message, as it is, and the digest of its identity as `webhook-id`;
 * - with bytes, as they are.
 */
export type EndpointCall = {
  readonly endpoint: Endpoint;
  /** The trace of the call, which is sent to the endpoint in headers. */
  readonly trace?: TraceContext | undefined;
  /** Reads the parts again that may have changed when the call is sent once more: steps may have been saved. */
  readonly renewed?: (() => Promise<RenewedCall>) | undefined;
} & (JobCall | { readonly batch: BatchCall } | { readonly message: SentMessage } | SentBytes);

/** A call as it is sent. */
export interface DescribedCall {
  readonly method: string;
  readonly url: string;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; null for a call without one. */
  readonly body: string | null;
}

/** Calls the endpoints that process jobs. See the specification, "Outbound call to a worker endpoint". */
export interface WebhookPort {
  /**
   * Makes the call, with any method, and reads the whole answer regardless of its status; of an answer to a message that
   * is too large or breaks its coding, what can be read is returned. Redirects are not followed.
   *
   * @param cancellation ends the call, which is its only listener; the promise then rejects.
   * @throws EndpointCallError when no complete answer of acceptable size arrived in time. The timeout covers
   * connecting, headers and body: that of the endpoint or else the configured default, or that of a job if it is
   * shorter.
   * @throws ReplicaShortageError when this replica has run out of resources for a call.
   */
  call(call: EndpointCall, cancellation: Cancellation): Promise<EndpointAnswer>;

  /** The call that would be made now, with its complete content. */
  describe(call: EndpointCall): DescribedCall;

  /** How many bytes an attempt takes in the body of a call for several jobs. */
  bytesInBatch(attempt: Attempt): number;
}
