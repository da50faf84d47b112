import type { DomainError } from '../../domain/errors.ts';

/** A kind of records that are kept until they are removed. */
export interface Collection {
  /** What stores call it, as long as records of it exist. */
  readonly kind: 'hook' | 'hook-state' | 'key-check' | 'policy' | 'worker';
  /** How many records there may be, and the error for one more; absent where they belong to others that are bounded. */
  readonly bound?: { readonly most: number; readonly tooMany: (most: number) => DomainError };
}
