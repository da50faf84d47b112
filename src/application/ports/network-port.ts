/** Parses networks and matches addresses against them. */
export interface NetworkPort {
  /** Whether the text is a network in CIDR notation, such as `10.0.0.0/8`, or a single address. */
  isNetwork(text: string): boolean;

  /** Whether all addresses of a network are in one of the networks. */
  isPart(network: string, networks: readonly string[]): boolean;

  /** Whether an address is in one of the networks. An IPv4 address that is mapped to IPv6 counts as itself. */
  isWithin(address: string, networks: readonly string[]): boolean;
}
