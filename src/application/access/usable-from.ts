import type { NetworkPort } from '../ports/network-port.ts';

/** What limits the use of a token besides its rights. */
export interface TokenBounds {
  /** Epoch ms; null for a token without an end. */
  readonly expires: number | null;
  /** In CIDR notation; null for all networks. */
  readonly addresses: readonly string[] | null;
}

/** Whether a token has not expired and works from an address (platform contract, section 11). */
export function isUsableFrom(
  address: string,
  { expires, addresses }: TokenBounds,
  now: number,
  networks: NetworkPort,
): boolean {
  if (expires !== null && expires <= now) return false;
  return addresses === null || networks.isWithin(address, addresses);
}
