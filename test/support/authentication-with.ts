import {
  Authentication,
  type SessionsInForce,
  type TokensInForce,
} from '../../src/adapters/inbound/http/api/authentication.ts';
import type { ConfiguredTokens } from '../../src/application/access/configured-tokens.ts';

/** The tokens of the API where none was ever made. */
const NO_ISSUED_TOKENS: TokensInForce = {
  isEmpty: true,
  knows: () => false,
  callerOf: () => undefined,
  isInForce: () => false,
  noteUse: () => undefined,
  watch: () => () => undefined,
};

/** The sessions where nobody ever signed in. */
const NO_SESSIONS: SessionsInForce = {
  callerOf: () => Promise.resolve(undefined),
  isInForce: () => Promise.resolve(false),
  watch: () => () => undefined,
};

/** Authentication where there are no other tokens than those of the configuration. */
export function authenticationWith(configured: ConfiguredTokens): Authentication {
  return new Authentication({
    configured,
    issued: NO_ISSUED_TOKENS,
    sessions: NO_SESSIONS,
    workloads: undefined,
  });
}
