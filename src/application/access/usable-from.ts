import type { NetworkPort } from '../ports/network-port.ts';

/** The restrictions of a token besides its rights. */
export interface TokenBounds {
  /** Epoch ms; null for a token that never expires. */
  readonly expires: number | null;
  /** In CIDR notation; null for all networks. */
  readonly addresses: readonly string[] | null;
}

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
