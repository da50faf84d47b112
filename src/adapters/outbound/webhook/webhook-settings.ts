import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { AddressGuard } from './guard/address-guard.ts';

/** The settings of all calls of endpoints, for any registration. */
export interface WebhookSettings {
  /** Longest duration of a whole call when the endpoint sets none, in milliseconds. */
  readonly defaultTimeout: number;
  /** Largest answer body that is accepted, decoded, in bytes. */
  readonly maxResponseSize: number;
  /** Sent as `User-Agent` unless the registration overrides it. */
  readonly userAgent: string;
  /** The prefix of the qualified names of queues. */
  readonly queuePrefix: string;
  /** Where clients reach this service, without a slash at its end: calls then carry the URL of their job. */
  readonly publicUrl?: string | undefined;
  /** Judges the addresses of endpoints when a connection is opened. */
  readonly guard: AddressGuard;
  /** The clock for the times of signatures. */
  readonly clock: Pick<ClockPort, 'now'>;
}
