import type { Caller } from '../../domain/access/caller.ts';
import { areLimitsWithin, type TokenLimits } from '../../domain/access/token-limits.ts';
import { DomainError } from '../../domain/errors.ts';
import type { NetworkPort } from '../ports/network-port.ts';
import type { TokenBounds } from './usable-from.ts';

/** All that restricts a token besides its rights and queues. */
export interface TokenFreedom extends TokenBounds {
  readonly limits?: TokenLimits | null;
}

/** @throws DomainError `forbidden` for a token that is freer than the caller in its end, networks or limits. */
export function requireNoFreer(caller: Caller, token: TokenFreedom, networks: NetworkPort): void {
  const { expires, addresses, limits = null } = token;
  const { expires: end, addresses: own } = caller;
  if (end !== null && (expires === null || expires > end))
    throw tooFree('expires no later than itself');
  if (own !== null && addresses?.every((each) => networks.isPart(each, own)) !== true) {
    throw tooFree('works only from networks that it works from itself');
  }
  if (!areLimitsWithin(limits, caller.limits)) throw tooFree('has no higher limits than itself');
}

function tooFree(rule: string): DomainError {
  return new DomainError(
    'forbidden',
    `A token can make, change and rotate only a token that ${rule}`,
  );
}
