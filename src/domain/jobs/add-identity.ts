/**
 * What an add that may be repeated is known by. Both are digests: neither a token nor anything else that a
 * client sent can be read from them.
 */
export interface AddIdentity {
  /** Of the key that the client gave, within what it is good for. */
  readonly key: string;
  /** Of the whole body, which distinguishes a repeat from another add. */
  readonly body: string;
}

/** How long an add is remembered, in milliseconds. */
export const REMEMBERED_FOR = 86_400_000;

/**
 * How much of its adds a queue remembers, in pieces of REMEMBERED_PIECE bytes: an add takes one, as a rule. Beyond
 * that the oldest are forgotten.
 */
export const MOST_REMEMBERED = 100_000;

export const REMEMBERED_PIECE = 1024;
