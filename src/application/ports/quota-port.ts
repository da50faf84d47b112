import type { Natures } from './nature.ts';

/** A leased part of a quota. */
export interface QuotaLease {
  /** The leased amount: less than wanted only when no more is left, and 0 when that is less than needed. */
  readonly granted: number;
  /** How much is left for further leases. */
  readonly left: number;
  /** Milliseconds until the full quota is available again. */
  readonly endsIn: number;
}

/** A request for a part of a quota. */
export interface WantedLease {
  readonly wanted: number;
  /** The minimum useful amount, at most `wanted`. */
  readonly needed: number;
  readonly max: number;
  /** Milliseconds after which the full quota is available again. */
  readonly duration: number;
}

/** Leases quotas, so that all replicas together never exceed them. */
export interface QuotaPort {
  /**
   * Leases a part of a quota, whose period begins with the first lease.
   *
   * @param key names the quota; a different `max` or `duration` makes it a different quota.
   * @throws DomainError `store-unavailable`.
   */
  lease(key: string, quota: WantedLease): Promise<QuotaLease>;
}

export const QUOTA_NATURES: Natures<QuotaPort> = { lease: 'notes' };
