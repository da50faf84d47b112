/** A part of a quota that was leased. */
export interface QuotaLease {
  /** How much of what was wanted: less only when no more is left, and nothing when that is less than what is needed. */
  readonly granted: number;
  /** How much is left for further leases. */
  readonly left: number;
  /** Milliseconds until the quota is whole again. */
  readonly endsIn: number;
}

/** A part of a quota that is asked for. */
export interface WantedLease {
  readonly wanted: number;
  /** The least that is of use, at most what is wanted. */
  readonly needed: number;
  readonly max: number;
  /** Milliseconds after which the quota is whole again. */
  readonly duration: number;
}

/** Leases quotas out, of which all replicas together take no more than there is. */
export interface QuotaPort {
  /**
   * Takes a part of a quota. Its time begins with the first lease.
   *
   * @param key names the quota; it is another one for another `max` or `duration`.
   * @throws DomainError `store-unavailable`.
   */
  lease(key: string, quota: WantedLease): Promise<QuotaLease>;
}
