import type { AccessToken } from '../../domain/access/access-token.ts';
import type { NetworkPort } from '../ports/network-port.ts';

/** The restrictions of a token besides its rights. */
export type TokenBounds = Pick<AccessToken, 'expires' | 'addresses'>;

/** Whether a token is unexpired and works from an address (platform contract, section 11). */
export function isUsableFrom(
  address: string,
  { expires, addresses }: TokenBounds,
  now: number,
  networks: NetworkPort,
): boolean {
  if (expires !== null && expires <= now) return false;
  return addresses === null || networks.isWithin(address, addresses);
}
