/** What became of a message of a hook. Times are epoch ms. */
export interface HookDelivery {
  readonly id: string;
  /** The name of the event. */
  readonly type: string;
  readonly createdAt: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** The status of the last answer; null when there was none. */
  readonly lastStatus: number | null;
  /** Why the last attempt failed. */
  readonly reason: string | null;
  /** When the next attempt is due; null when there is none. */
  readonly nextAt: number | null;
  /** How long the last attempt took. */
  readonly durationMs: number | null;
}

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
