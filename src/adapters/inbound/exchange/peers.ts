import type { IncomingMessage } from 'node:http';
import { parsedUrl } from '../../../domain/values/parsed-url.ts';

export interface PeersSettings {
  /** Whether an address belongs to a trusted proxy, whose headers are believed; without this, no address does. */
  readonly isProxy?: ((address: string) => boolean) | undefined;
  /** The URL at which clients reach the service. */
  readonly publicUrl?: string | undefined;
}

/** As URLs have them. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Knows where requests come from, even behind proxies (platform contract, section 11). */
export class Peers {
  readonly #isProxy: ((address: string) => boolean) | undefined;
  readonly #publicOrigin: string | undefined;

  constructor({ isProxy, publicUrl }: PeersSettings) {
    this.#isProxy = isProxy;
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /**
   * The address of the client; undefined once its connection is closed. Behind trusted proxies it is the rightmost
   * address in `X-Forwarded-For` that is not a trusted proxy: the client may have written everything to its left.
   */
  addressOf({ socket, headers }: IncomingMessage): string | undefined {
    const peer = plainAddress(socket.remoteAddress);
    const isProxy = this.#isProxy;
    if (isProxy === undefined || peer === undefined || !isProxy(peer)) return peer;
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((each) => plainAddress(each.trim()) ?? '');
    return forwarded.findLast((address) => address !== '' && !isProxy(address)) ?? peer;
  }

  /** Whether the client reaches the service over TLS, which a proxy in front of it terminates. */
  isSecure(request: IncomingMessage): boolean {
    return this.#publicOrigin?.startsWith('https:') === true || this.cameOverTls(request);
  }

  /** Whether this request came over TLS, as the trusted proxy that terminated it says. */
  cameOverTls({ socket, headers }: IncomingMessage): boolean {
    const peer = plainAddress(socket.remoteAddress) ?? '';
    return headers['x-forwarded-proto'] === 'https' && this.#isProxy?.(peer) === true;
  }

  /** Whether a page of this service sent the request, according to the browser. */
  isSameOrigin(request: IncomingMessage): boolean {
    const { origin, host = '', 'sec-fetch-site': site } = request.headers;
    if (site !== undefined) return site === 'same-origin';
    if (origin === undefined) return false;
    const own = `${this.isSecure(request) ? 'https' : 'http'}://${host}`;
    return origin === this.#publicOrigin || origin === parsedUrl(own)?.origin;
  }

  /**
   * Whether the `Origin` of a request is one that nobody else can have: that of the public URL or, without one, of a
   * loopback name. A page of another site whose name was made to resolve to this service sends the same `Host` as its
   * `Origin`, and its browser takes both for one (DNS rebinding).
   */
  isKnownOrigin(request: IncomingMessage): boolean {
    const { origin = '' } = request.headers;
    if (this.#publicOrigin !== undefined) return origin === this.#publicOrigin;
    const { hostname = '' } = parsedUrl(origin) ?? {};
    return LOOPBACK_NAMES.has(hostname) && this.isSameOrigin(request);
  }
}

/** A dual-stack socket reports IPv4 clients with IPv6 addresses. */
function plainAddress(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.)/, '');
}
