import type { HostAndPort } from '../../adapters/outbound/redis/connection/redis-settings.ts';

const ENTRY = /^(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<name>[^\s:[\]/@]+)):(?<port>\d{1,5})$/i;

/** Reads `host:port` entries separated by commas, IPv6 addresses in brackets; undefined for any other text. */
export function parseHostList(text: string): readonly HostAndPort[] | undefined {
  const nodes = text.split(',').map((entry) => parseHostAndPort(entry.trim()));
  return nodes.every((node) => node !== undefined) ? nodes : undefined;
}

function parseHostAndPort(entry: string): HostAndPort | undefined {
  const groups = ENTRY.exec(entry)?.groups;
  const host = groups?.['ipv6'] ?? groups?.['name'];
  const port = Number(groups?.['port']);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}
