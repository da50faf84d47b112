import type { ReplicaMemoryUse } from '../../domain/system/system.ts';
import type { Natures } from './nature.ts';

/** The memory use of a store, in bytes. */
export type StoreMemory = Pick<ReplicaMemoryUse, 'used' | 'limit'>;

/** Checks whether the store is currently usable, and how full its memory is. */
export interface StoreHealthPort {
  /**
   * Resolves when the store answers and accepts writes. A store that is out of memory counts as usable: its jobs can
   * still be processed, which frees memory.
   *
   * @throws DomainError `store-unavailable` otherwise, within STORE_PATIENCE; its cause is a PublicCause if known.
   */
  check(): Promise<void>;

  /**
   * Undefined when the store does not report it.
   *
   * @throws DomainError `store-unavailable`, within STORE_PATIENCE.
   */
  memory(): Promise<StoreMemory | undefined>;
}

export const STORE_HEALTH_NATURES: Natures<StoreHealthPort> = { check: 'local', memory: 'local' };
