import { invalidRequest } from '../../domain/errors.ts';
import type { NetworkPort } from '../ports/network-port.ts';

/** @throws DomainError `invalid-request` naming the first text that is no network. */
export function checkNetworks(
  texts: readonly string[] | null | undefined,
  path: string,
  networks: NetworkPort,
): void {
  texts?.forEach((text, index) => {
    if (networks.isNetwork(text)) return;
    const field = `${path}[${index}]`;
    throw invalidRequest(`${field} must be a network in CIDR notation, such as 10.0.0.0/8`, field);
  });
}
