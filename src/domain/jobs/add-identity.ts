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

/** How long an add is remembered, in milliseconds. */
export const REMEMBERED_FOR = 86_400_000;

/**
 * How many adds a queue remembers, in pieces of REMEMBERED_PIECE bytes: an add usually takes one. Beyond that, the
 * oldest are forgotten.
 */
export const MOST_REMEMBERED = 100_000;

export const REMEMBERED_PIECE = 1024;
