import ipaddr from 'ipaddr.js';
import type { NetworkPort } from '../application/ports/network-port.ts';

/** IP networks. */
export class IpNetworks implements NetworkPort {
  isNetwork(text: string): boolean {
    return ipaddr.isValidCIDR(text) || (ipaddr.isValid(text) && isWhole(text));
  }

  isPart(network: string, networks: readonly string[]): boolean {
    const [first, bits] = rangeOf(network);
    return networks.some((each) => {
      const [start, length] = rangeOf(each);
      return start.kind() === first.kind() && bits >= length && first.match(start, length);
    });
  }

  isWithin(address: string, networks: readonly string[]): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return networks.some((network) => {
      const [start, length] = rangeOf(network);
      return start.kind() === parsed.kind() && parsed.match(start, length);
    });
  }
}

/** Short forms such as `10.1` are refused, since few readers expect the address that they stand for. */
function isWhole(text: string): boolean {
  return text.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(text);
}

function rangeOf(network: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (network.includes('/')) return ipaddr.parseCIDR(network);
  const address = ipaddr.process(network);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
