import type { CollectionPort } from '../ports/collection-port.ts';
import type { Collection } from './collection.ts';

/** Shows whether an encryption key is right. */
export interface KeyCheck {
  readonly value: string;
}

/** One check value for each encryption key, by its id. */
export type KeptKeyChecks = CollectionPort<KeyCheck>;

export const KEY_CHECKS: Collection<KeyCheck> = {
  kind: 'key-check',
  key: 'encryption-keys',
  put: 'changes',
  read: (_, value) => ({ value }),
  write: ({ value }) => value,
};
