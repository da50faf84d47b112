import type { Endpoint } from '../../domain/calls/endpoint.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { SentMessage } from '../ports/webhook-port.ts';

/** What an attempt at a delivery has to do. */
export type Outgoing =
  | { readonly kind: 'send'; readonly endpoint: Endpoint; readonly message: SentMessage }
  /** Nothing can be sent now. */
  | { readonly kind: 'fail'; readonly reason: string }
  /** Nothing has to be sent: another delivery says it. */
  | { readonly kind: 'drop' };

/** Knows what the deliveries of one kind send, and what follows when they fail. */
export interface Sender {
  /** @throws DomainError `store-unavailable`. */
  outgoing(delivery: Job): Promise<Outgoing>;

  /** Whether an answer 410 pauses all deliveries of the queue; otherwise it ends this one. */
  readonly pausesWhenGone: boolean;

  /**
   * Called before a delivery fails for good, maybe several times for the same one.
   *
   * @throws DomainError `store-unavailable`.
   */
  failing(delivery: Job, reason: string): Promise<void>;
}
