import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The addresses that share the first bits of one. */
export interface Network {
  readonly address: IpAddress;
  readonly bits: number;
}

/** IPv6 addresses that end in the IPv4 address which they reach: compatible, mapped, translated, NAT64. */
const ENDING_IN_IPV4 = networks('::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b:1::/48');

/** The well-known NAT64 prefix (RFC 6052). */
const NAT64 = networks('64:ff9b::/96');

/** Have the IPv4 address that they reach after the first 16 bits. */
const SIX_TO_FOUR = networks('2002::/16');

/** Contain the IPv4 address of a server, and that of the host behind it with all bits inverted (RFC 4380, 4). */
const TEREDO = networks('2001::/32');

/** Bytes 8 to 11 of an ISATAP address, which ends in the IPv4 address that it reaches (RFC 5214, 6.1). */
const ISATAP_MARKS: readonly string[] = ['0,0,94,254', '2,0,94,254'];

/** IPv6 addresses that are as public as the IPv4 address in them. */
const PUBLIC_AS_IPV4 = [...networks('::ffff:0:0/96'), ...NAT64];

/** The part of IPv6 that is allocated for globally reachable hosts. */
const GLOBAL_UNICAST = networks('2000::/3');

/**
 * Link-local addresses, and the other addresses where clouds keep the metadata of a machine, its credentials
 * included.
 */
const LINK_LOCAL = networks(
  '169.254.0.0/16',
  'fe80::/10',
  // Amazon
  'fd00:ec2::254/128',
  // Google
  'fd20:ce::254/128',
  // Alibaba
  '100.100.100.200/32',
  // Oracle
  '192.0.0.192/32',
);

/** The network of a CIDR, or that of one address; undefined when the text is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', bits] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const all = version === 4 ? 32 : 128;
  const given = bits === undefined ? all : Number(bits);
  return given > all ? undefined : { address: ipaddr.parse(address), bits: given };
}

/**
 * The address and, for an IPv6 address that embeds IPv4 addresses, those that it reaches; undefined when the text is
 * not an address.
 */
export function formsOf(text: string): readonly IpAddress[] | undefined {
  if (isIP(text) === 0 || !ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  const embedded = embeddedIn(address).map((bytes) => ipaddr.fromByteArray(bytes));
  return [address, ...embedded];
}

/** The bytes of the IPv4 addresses in an IPv6 address. */
function embeddedIn(address: IpAddress): readonly number[][] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  const last = bytes.slice(12);
  if (isWithinAny(address, [...ENDING_IN_IPV4, ...NAT64])) return [last];
  if (isWithinAny(address, SIX_TO_FOUR)) return [bytes.slice(2, 6)];
  if (isWithinAny(address, TEREDO)) return [bytes.slice(4, 8), last.map((byte) => byte ^ 0xff)];
  return ISATAP_MARKS.includes(bytes.slice(8, 12).join()) ? [last] : [];
}

export function isWithin(address: IpAddress, network: Network): boolean {
  if (address instanceof ipaddr.IPv4) {
    return network.address instanceof ipaddr.IPv4 && address.match(network.address, network.bits);
  }
  return network.address instanceof ipaddr.IPv6 && address.match(network.address, network.bits);
}

export function isLinkLocal(address: IpAddress): boolean {
  return isWithinAny(address, LINK_LOCAL);
}

/** Whether all addresses of a network are link-local. */
export function isLinkLocalNetwork({ address, bits }: Network): boolean {
  return LINK_LOCAL.some((each) => bits >= each.bits && isWithin(address, each));
}

/** Whether an address, given in all its forms, belongs to one host that is reachable from the whole internet. */
export function isPublic(forms: readonly IpAddress[]): boolean {
  return forms.every((form) => {
    if (form instanceof ipaddr.IPv4) return form.range() === 'unicast';
    if (isWithinAny(form, PUBLIC_AS_IPV4)) return true;
    return isWithinAny(form, GLOBAL_UNICAST) && form.range() === 'unicast';
  });
}

function isWithinAny(address: IpAddress, all: readonly Network[]): boolean {
  return all.some((network) => isWithin(address, network));
}

function networks(...texts: readonly string[]): readonly Network[] {
  return texts.map((text) => {
    const [address, bits] = ipaddr.parseCIDR(text);
    return { address, bits };
  });
}
