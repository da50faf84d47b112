import type { Job, FlowChild, Worker } from 'jobgate-client';
import type { Variables } from './stores.ts';

/** A job that the API returned to a claim. */
export interface ClaimedJob {
  readonly job: Job;
  readonly token: string;
  readonly children?: readonly FlowChild[];
  readonly steps?: Readonly<Record<string, unknown>>;
}

/** Where the jobs of a queue go instead of to the endpoint of its registered worker. */
export interface CallTarget {
  readonly queue: string;
  readonly url: string;
  /** Signs the calls; undefined for calls without a signature. */
  readonly secret: string | undefined;
  /** The registered worker of the queue, whose registration decides all else about its calls; undefined for none. */
  readonly worker: Worker | undefined;
  /** The URL of the service, which calls name for reports. */
  readonly service: string;
}

/** What becomes of a job after its call. */
export type AfterCall =
  | { readonly kind: 'completed'; readonly returnvalue: unknown }
  /** No other attempt follows. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Another attempt follows after `delay` ms. */
  | { readonly kind: 'retry'; readonly reason: string; readonly delay: number }
  /** The attempt does not count. The queue, the group of the job or the job waits until `until` (epoch ms). */
  | {
      readonly kind: 'deferred';
      readonly reason: string;
      readonly scope: 'queue' | 'group' | 'job';
      readonly until: number;
    }
  /** The endpoint saved steps, or lets the job rest. @param answer its answer 206; null for one that is no JSON. */
  | { readonly kind: 'suspended'; readonly answer: unknown }
  /** The endpoint completes the job later, within `acceptedFor` ms. */
  | { readonly kind: 'accepted'; readonly acceptedFor: number };

export interface CallResult {
  readonly after: AfterCall;
  /** What attempts have on record, such as `timeout`; absent for a job that was left to its endpoint. */
  readonly outcome?: string | undefined;
  /** The status of the answer; absent when none came. */
  readonly status?: number | undefined;
}

/** Calls an endpoint as a service calls that of a registered worker. */
export interface Caller {
  /**
   * Makes the call of one attempt. The signal ends it early; then its result means nothing.
   *
   * @throws Failed when this machine has run out of what calls need.
   */
  call(claimed: ClaimedJob, signal: AbortSignal): Promise<CallResult>;

  close(): Promise<void>;
}

/** Calls of endpoints that commands make themselves. */
export interface Calls {
  /**
   * @param variables may hold the limits of calls, as those of a service.
   * @throws UsageError for a target that no worker could be registered with.
   */
  to(target: CallTarget, variables: Variables): Promise<Caller>;
}
