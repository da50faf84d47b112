import type { EventGrant } from '../../../../domain/events/event-ticket.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { RangeRequest } from '../messages/byte-range.ts';
import type { Peers } from '../../exchange/peers.ts';
import type { Arrival } from './arrival.ts';
import { preferredWait } from './prefer-wait.ts';
import { RequestWay } from '../../exchange/request-way.ts';
import type { Call, Peer, Route } from './route.ts';

/** What a request asks for, decoded. */
export interface DecodedRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly lastEventId: string | undefined;
  readonly identity: AddIdentity | undefined;
}

/** A request as routes see it. Properties that few routes read are computed on demand. */
export class RequestCall extends RequestWay<Arrival> implements Call {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly lastEventId: string | undefined;
  readonly #route: Route;
  readonly #peers: Peers;

  constructor(way: RequestWay<Arrival>, decoded: DecodedRequest, route: Route, peers: Peers) {
    super(way.arrival, way.request, way.response, decoded.identity);
    this.parameters = decoded.parameters;
    this.query = decoded.query;
    this.body = decoded.body;
    this.lastEventId = decoded.lastEventId;
    this.#route = route;
    this.#peers = peers;
  }

  get token(): string {
    return this.arrival.token;
  }

  get grant(): EventGrant | undefined {
    return this.arrival.grant;
  }

  get peer(): Peer {
    return { address: this.address, isSecure: () => this.#peers.isSecure(this.request) };
  }

  get wait(): number | undefined {
    return this.#route.mayWait === true ? preferredWait(this.request) : undefined;
  }

  get range(): RangeRequest | undefined {
    const { range, 'if-range': ifRange } = this.request.headers;
    // RFC 9110, section 14.2: only GET has parts.
    if (this.#route.takesRange !== true || this.request.method !== 'GET' || range === undefined) {
      return undefined;
    }
    return { range, ifRange: ifRange?.toString() };
  }
}
