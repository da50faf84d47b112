import type { Natures } from './nature.ts';

/**
 * Keeps one check value for each encryption key, for all replicas. Methods throw DomainError `store-unavailable` when
 * the store cannot be reached.
 */
export interface KeyCheckStorePort {
  /** The check value of the key with this id. */
  find(key: string): Promise<string | undefined>;

  /** Stores the check value of a key unless there is one. @returns the one that is in the store afterwards. */
  saveFirst(key: string, value: string): Promise<string>;
}

export const KEY_CHECK_NATURES: Natures<KeyCheckStorePort> = {
  find: 'looks',
  saveFirst: 'changes',
};
