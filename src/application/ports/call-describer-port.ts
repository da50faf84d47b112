import type { Endpoint } from '../../domain/calls/endpoint.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { BatchCall, SentMessage } from './webhook-port.ts';

/** A call as it is sent. */
export interface DescribedCall {
  readonly method: string;
  readonly url: string;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; null for a call without one. */
  readonly body: string | null;
}

/** Describes the calls that a WebhookPort makes. */
export interface CallDescriberPort {
  /** The call that would be made for the job now, with its complete content. */
  describe(endpoint: Endpoint, job: Job, token: string): DescribedCall;

  /** Likewise for a call for several jobs. */
  describeBatch(endpoint: Endpoint, batch: BatchCall): DescribedCall;

  /** Likewise for a message. */
  describeMessage(endpoint: Endpoint, message: SentMessage): DescribedCall;
}
