import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { AddressRefusedError } from './address-refused-error.ts';
import { formsOf, isLinkLocal, isPublic } from './ip-address.ts';
import {
  comparableHost,
  meansAddress,
  meansHost,
  namesLinkLocal,
  parseOutboundEntry,
  type OutboundEntry,
} from './outbound-entry.ts';

/** Which addresses endpoints may have. Entries are as {@link parseOutboundEntry} reads them. */
export interface OutboundRules {
  readonly policy: 'any' | 'public';
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Finds all addresses of a host, as the platform does. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How many hosts are remembered as logged. */
const MAX_LOGGED = 1000;

/**
 * Judges the addresses that connections are about to be made to. Names are judged as they were just resolved, so it
 * does not matter what a name resolved to before. Denied takes precedence over allowed, and a name is refused if any of
 * its addresses is.
 */
export class AddressGuard {
  readonly #policy: OutboundRules['policy'];
  readonly #allow: readonly OutboundEntry[];
  readonly #deny: readonly OutboundEntry[];
  readonly #logger: LoggerPort;
  readonly #resolve: Resolve;
  readonly #logged = new LRUCache<string, true>({ max: MAX_LOGGED });

  constructor(rules: OutboundRules, logger: LoggerPort, resolve: Resolve = lookup) {
    this.#policy = rules.policy;
    this.#allow = entries(rules.allow);
    this.#deny = entries(rules.deny);
    this.#logger = logger;
    this.#resolve = resolve;
  }

  /**
   * Judges a host before it is resolved: it may be an address, or a denied name.
   *
   * @param host of a URL, an address of IPv6 without brackets or with them.
   * @throws AddressRefusedError
   */
  checkHost(host: string): void {
    const literal = host.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0) {
      if (this.#refuses(literal, literal)) throw this.#refused(literal, literal);
    } else if (this.#denies(comparableHost(host))) throw this.#refused(host);
  }

  /** Resolves the name of a connection; the platform does not call it when the host is an address. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    this.#resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const name = comparableHost(host);
      const refused = addresses.find(({ address }) => this.#refuses(name, address));
      if (refused !== undefined) callback(this.#refused(host, refused.address), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };

  #denies(host: string): boolean {
    return this.#deny.some((entry) => meansHost(entry, host));
  }

  #refuses(host: string, address: string): boolean {
    const forms = formsOf(address);
    if (forms === undefined) return true;
    if (this.#denies(host) || this.#deny.some((entry) => meansAddress(entry, forms))) return true;
    if (forms.some(isLinkLocal)) {
      return !this.#allow.some((entry) => namesLinkLocal(entry, host, forms));
    }
    const isAllowed = (entry: OutboundEntry): boolean =>
      meansHost(entry, host) || meansAddress(entry, forms);
    return this.#policy === 'public' && !isPublic(forms) && !this.#allow.some(isAllowed);
  }

  #refused(host: string, address?: string): AddressRefusedError {
    if (!this.#logged.has(host)) {
      this.#logged.set(host, true);
      this.#logger.warn('Calls to an endpoint are refused: its address is not allowed', {
        host,
        ...(address !== undefined && { address }),
      });
    }
    return new AddressRefusedError();
  }
}

function entries(texts: readonly string[]): readonly OutboundEntry[] {
  return texts.map((text) => {
    const entry = parseOutboundEntry(text);
    if (entry === undefined) throw new TypeError(`${text} is neither a network nor a host`);
    return entry;
  });
}
