/** What became of one attempt to send a message: it is sent, it will be sent again, or it failed for good. */
export type SendOutcome = 'delivered' | 'retried' | 'failed';

/** Observes the messages that this replica sends for hooks, for the metrics. It is called for each, and must not throw. */
export interface DeliveryObserver {
  sent(hook: string, outcome: SendOutcome): void;
}
