import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { CallMemory } from './call-memory.ts';
import type { AddressGuard } from './guard/address-guard.ts';

/** The settings of all calls of endpoints, for any registration. */
export interface WebhookSettings {
  /** The longest duration of a whole call when the endpoint sets none, in milliseconds. */
  readonly defaultTimeout: number;
  /** The largest answer body that is accepted, in bytes after decoding. */
  readonly maxResponseSize: number;
  /** Sent as `User-Agent` unless the registration overrides it. */
  readonly userAgent: string;
  /** The prefix of the qualified names of queues. */
  readonly queuePrefix: string;
  /**
   * The URL at which clients reach this service, without a trailing slash. If set, calls carry the URL of their job.
   */
  readonly publicUrl?: string | undefined;
  /** Judges the addresses of endpoints when a connection is opened. */
  readonly guard: AddressGuard;
  /** The part of the heap that calls may fill. */
  readonly memory: CallMemory;
  /** The clock for the times of signatures. */
  readonly clock: Pick<ClockPort, 'now'>;
}
