import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { AddressGuard } from './guard/address-guard.ts';

/** What holds for all calls of endpoints, whatever the registration says. */
export interface WebhookSettings {
  /** Longest duration of a whole call whose endpoint names none, in milliseconds. */
  readonly defaultTimeout: number;
  /** Largest answer body that is accepted, decoded, in bytes. */
  readonly maxResponseSize: number;
  /** Sent as `User-Agent` unless the registration overrides it. */
  readonly userAgent: string;
  /** What stands before the name of a queue in its qualified name. */
  readonly queuePrefix: string;
  /** Where clients reach this service, without a slash at its end: calls then tell where their job is. */
  readonly publicUrl?: string | undefined;
  /** Judges the addresses of endpoints when a connection is opened. */
  readonly guard: AddressGuard;
  /** Tells when a call is signed. */
  readonly clock: Pick<ClockPort, 'now'>;
}
