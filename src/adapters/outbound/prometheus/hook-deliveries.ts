import type {
  DeliveryObserver,
  SendOutcome,
} from '../../../application/ports/delivery-observer.ts';
import type { Metric } from './metric.ts';

/** Counts the messages that this process sent for hooks. There are few hooks at a time, and ids of removed ones stay. */
export class HookDeliveries implements DeliveryObserver {
  readonly #counts = new Map<string, Map<SendOutcome, number>>();

  sent(hook: string, outcome: SendOutcome): void {
    const counts = this.#counts.get(hook) ?? new Map<SendOutcome, number>();
    this.#counts.set(hook, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
  }

  get metric(): Metric {
    return {
      name: 'jobgate_hook_deliveries_total',
      help: 'Attempts to send a message of a hook: delivered, retried later, or failed for good',
      type: 'counter',
      samples: () =>
        [...this.#counts].flatMap(([hook, counts]) =>
          [...counts].map(([outcome, value]) => ({ labels: { hook, outcome }, value })),
        ),
    };
  }
}
