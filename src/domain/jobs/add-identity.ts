import { DomainError } from '../errors.ts';

/**
 * Identifies an add that may be repeated. Both fields are digests, so neither a token nor any other data of the client
 * can be read from them.
 */
export interface AddIdentity {
  /** The digest of the key that the client sent, within the scope of that key. */
  readonly key: string;
  /** The digest of the whole body, which distinguishes a repeat from a different add. */
  readonly body: string;
}

/**
 * The error of an add whose key is known for something else: another body (`other`), or an add in progress (`running`).
 */
export function keyRefused(kind: 'other' | 'running'): DomainError {
  return kind === 'other'
    ? new DomainError(
        'idempotency-key-reused',
        'The Idempotency-Key was used for a request with another body',
      )
    : new DomainError(
        'idempotency-key-in-use',
        'The first request with this Idempotency-Key is still in progress',
      );
}

/** How long an add is remembered, in milliseconds. */
export const REMEMBERED_FOR = 86_400_000;

/**
 * How many adds a queue remembers, in pieces of REMEMBERED_PIECE bytes: an add usually takes one. Beyond that, the
 * oldest are forgotten.
 */
export const MOST_REMEMBERED = 100_000;

export const REMEMBERED_PIECE = 1024;
