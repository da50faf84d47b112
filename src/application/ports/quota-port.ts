/** A part of a quota that was leased. */
export interface QuotaLease {
  /** How much of what was wanted; less only when the quota is used up. */
  readonly granted: number;
  /** How much is left for further leases. */
  readonly left: number;
  /** Milliseconds until the quota is whole again. */
  readonly endsIn: number;
}

/** Leases quotas out, of which all replicas together take no more than there is. */
export interface QuotaPort {
  /**
   * Takes a part of a quota. Its time begins with the first lease.
   *
   * @param key names the quota; it is another one for another `max` or `duration`.
   * @param duration milliseconds after which it is whole again.
   * @throws DomainError `store-unavailable`.
   */
  lease(
    key: string,
    quota: { readonly wanted: number; readonly max: number; readonly duration: number },
  ): Promise<QuotaLease>;
}
