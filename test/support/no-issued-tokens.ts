import type { TokensInForce } from '../../src/adapters/inbound/http/api/authentication.ts';

/** The tokens of the API where none was ever made. */
export const NO_ISSUED_TOKENS: TokensInForce = {
  isEmpty: true,
  callerOf: () => undefined,
  isInForce: () => false,
  watch: () => () => undefined,
};
