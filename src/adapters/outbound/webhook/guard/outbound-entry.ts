import { namePattern } from '../../../../domain/queues/name-pattern.ts';
import {
  isLinkLocal,
  isLinkLocalNetwork,
  isWithin,
  parseNetwork,
  type IpAddress,
  type Network,
} from './ip-address.ts';
import { parsedUrl } from '../../../../domain/values/parsed-url.ts';

/** One entry of OUTBOUND_ALLOW or OUTBOUND_DENY. */
export type OutboundEntry =
  | { readonly kind: 'network'; readonly network: Network }
  | {
      readonly kind: 'hosts';
      readonly pattern: string;
      readonly matches: (host: string) => boolean;
    };

/** A name with a letter in it, where `*` stands for any characters; or all hosts. */
const HOST_PATTERN = /^(?:\*|(?=.*[a-z])[a-z0-9*_-]+(?:\.[a-z0-9*_-]+)*)$/;

/**
 * Reads a network (`10.0.0.0/8`), an address (`2001:db8::1`) or a host pattern (`*.example.com`); undefined for any
 * other text.
 */
export function parseOutboundEntry(text: string): OutboundEntry | undefined {
  const network = parseNetwork(text);
  if (network !== undefined) return { kind: 'network', network };
  const host = comparableHost(asciiHost(text));
  if (!HOST_PATTERN.test(host)) return undefined;
  return { kind: 'hosts', pattern: host, matches: namePattern(host) };
}

/** The host of a URL in the form of entries: `example.com.` is the same as `example.com`. */
export function comparableHost(host: string): string {
  return host.replace(/\.+$/, '').toLowerCase();
}

export function meansHost(entry: OutboundEntry, host: string): boolean {
  return entry.kind === 'hosts' && entry.matches(host);
}

export function meansAddress(entry: OutboundEntry, forms: readonly IpAddress[]): boolean {
  return entry.kind === 'network' && forms.some((form) => isWithin(form, entry.network));
}

/**
 * Whether an entry was written for this link-local address, rather than for a large part of the internet
 * that it happens to be in.
 */
export function namesLinkLocal(
  entry: OutboundEntry,
  host: string,
  forms: readonly IpAddress[],
): boolean {
  if (entry.kind === 'hosts') return entry.pattern === host;
  return (
    isLinkLocalNetwork(entry.network) &&
    forms.some((form) => isLinkLocal(form) && isWithin(form, entry.network))
  );
}

/** A name in the characters that URLs use, or the text as it is if it cannot be part of a URL. */
function asciiHost(text: string): string {
  const isHost = /^[^\s/?#@:\\]+$/.test(text);
  return (isHost ? parsedUrl(`http://${text}`)?.hostname : undefined) ?? '';
}
