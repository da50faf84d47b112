import { hash } from 'node:crypto';
import { Caller } from '../../../../domain/access/caller.ts';
import type {
  ConfiguredToken,
  ConfiguredTokens,
} from '../../../../application/access/configured-tokens.ts';

/** The name of the tokens of the environment, and the space of their idempotency keys. */
const ENVIRONMENT = 'environment';
const ANYTHING = { expires: null, rights: ['admin'], queues: null } as const;

/**
 * The tokens of the environment, which have all rights. They are named by position, `environment:1` and so on; the
 * digests are numbered after the tokens.
 *
 * @param digests SHA-256 of further tokens, in hex of lower case.
 */
export function environmentTokens(
  tokens: readonly string[],
  digests: readonly string[],
): ConfiguredTokens {
  const byDigest = new Map<string, ConfiguredToken>();
  [...tokens.map((token) => hash('sha256', token, 'hex')), ...digests].forEach((digest, index) => {
    const name = `${ENVIRONMENT}:${index + 1}`;
    if (byDigest.has(digest)) return;
    const caller = new Caller({ ...ANYTHING, id: name, name, keySpace: ENVIRONMENT });
    byDigest.set(digest, { caller, source: 'environment' });
  });
  return {
    all: [...byDigest.values()],
    isEmpty: byDigest.size === 0,
    find: (digest) => byDigest.get(digest)?.caller,
  };
}
