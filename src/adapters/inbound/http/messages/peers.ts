import type { IncomingMessage } from 'node:http';
import { parsedUrl } from '../../../../domain/values/parsed-url.ts';

export interface PeersSettings {
  /** Whether an address is that of a proxy whose headers are believed; no address is unless given. */
  readonly isProxy?: ((address: string) => boolean) | undefined;
  /** Where clients reach the service. */
  readonly publicUrl?: string | undefined;
}

/** Knows where requests come from, also behind proxies (platform contract, section 11). */
export class Peers {
  readonly #isProxy: ((address: string) => boolean) | undefined;
  readonly #publicOrigin: string | undefined;

  constructor({ isProxy, publicUrl }: PeersSettings) {
    this.#isProxy = isProxy;
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /**
   * The address of the client; undefined once its connection is closed. Behind trusted proxies it is the rightmost of
   * `X-Forwarded-For` that is not one of theirs: the client may have written all that is to the left.
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

  /** Whether the client reaches the service over TLS, which ends before it. */
  isSecure({ socket, headers }: IncomingMessage): boolean {
    if (this.#publicOrigin?.startsWith('https:') === true) return true;
    const peer = plainAddress(socket.remoteAddress) ?? '';
    return headers['x-forwarded-proto'] === 'https' && this.#isProxy?.(peer) === true;
  }

  /** Whether a page of this service sent the request, as the browser says. */
  isSameOrigin(request: IncomingMessage): boolean {
    const { origin, host = '', 'sec-fetch-site': site } = request.headers;
    if (site !== undefined) return site === 'same-origin';
    if (origin === undefined) return false;
    const own = `${this.isSecure(request) ? 'https' : 'http'}://${host}`;
    return origin === this.#publicOrigin || origin === parsedUrl(own)?.origin;
  }
}

/** A socket for both families reports a client of IPv4 in the form of IPv6. */
function plainAddress(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.)/, '');
}
