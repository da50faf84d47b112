import type { Natures } from './nature.ts';

/** Repeated work that one of all replicas does at a time. */
export type SharedWork = 'hook-look' | 'ended-sweep' | 'payload-sweep';

/** Shares work out among replicas. */
export interface SharedWorkPort {
  /**
   * Whether the caller is to do the work now: true for one caller across all replicas, and then for `interval` ms for none.
   *
   * @throws DomainError `store-unavailable`.
   */
  claim(work: SharedWork, interval: number): Promise<boolean>;
}

export const SHARED_WORK_NATURES: Natures<SharedWorkPort> = { claim: 'notes' };
