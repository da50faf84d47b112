import { hash } from 'node:crypto';
import { Caller } from '../../../../domain/access/caller.ts';
import type { KnownTokens } from './authentication.ts';

/** The name of the tokens of the environment, and what their idempotency keys belong to. */
const ENVIRONMENT = 'environment';

/**
 * The tokens of the environment, which may do everything. They are named by their places, `environment:1` and so on, the
 * digests counted on after the tokens.
 *
 * @param digests SHA-256 of further tokens, in hex of lower case.
 */
export function environmentTokens(
  tokens: readonly string[],
  digests: readonly string[],
): KnownTokens {
  const callers = new Map<string, Caller>();
  [...tokens.map((token) => hash('sha256', token, 'hex')), ...digests].forEach((digest, index) => {
    const name = `${ENVIRONMENT}:${index + 1}`;
    if (callers.has(digest)) return;
    callers.set(
      digest,
      new Caller({
        id: name,
        name,
        keySpace: ENVIRONMENT,
        expires: null,
        rights: ['admin'],
        queues: null,
      }),
    );
  });
  return { isEmpty: callers.size === 0, find: (digest) => callers.get(digest) };
}
