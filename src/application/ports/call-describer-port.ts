import type { Endpoint } from '../../domain/calls/endpoint.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { BatchCall } from './webhook-port.ts';

/** A call as it goes over the wire. */
export interface DescribedCall {
  readonly method: string;
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; null for a call without one. */
  readonly body: string | null;
}

/** Describes the calls that a WebhookPort makes. */
export interface CallDescriberPort {
  /** The call of the job that would be made now, with all that it says. */
  describe(endpoint: Endpoint, job: Job, token: string): DescribedCall;

  /** The same of a call with several jobs. */
  describeBatch(endpoint: Endpoint, batch: BatchCall): DescribedCall;
}
