import type { IncomingMessage } from 'node:http';
import type { Way } from '../../../../application/operations/way.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { EventGrant } from '../../../../domain/events/event-ticket.ts';
import type { ExchangeResponse } from '../../exchange/exchange.ts';
import type { RangeRequest } from '../messages/byte-range.ts';
import { queryOf } from '../messages/request-target.ts';
import type { Peers } from '../../exchange/peers.ts';
import type { Arrival } from './arrival.ts';
import { preferredWait } from './prefer-wait.ts';
import type { RequestRoom } from '../../exchange/request-room.ts';
import { RequestWay } from '../../exchange/request-way.ts';
import type { Call, Peer, Route } from './route.ts';
import { TRY } from './session-cookie.ts';

/** A request whose path matched a pattern. */
export type RoutedRequest = IncomingMessage & { readonly params: object };

/** A request as routes see it once it is decoded. Properties that few routes read are computed on demand. */
export class RequestCall extends RequestWay<Arrival> implements Call {
  readonly parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>> = {};
  body: unknown;
  lastEventId: string | undefined;
  readonly #route: Route | undefined;
  readonly #peers: Peers;

  /** @param route undefined for a method that the path does not have. */
  constructor(
    arrival: Arrival,
    request: RoutedRequest,
    response: ExchangeResponse,
    route: Route | undefined,
    peers: Peers,
    room: Pick<RequestRoom, 'takeJobs'>,
  ) {
    super(arrival, request, response, room);
    // Patterns have no wildcards, so every parameter is one string.
    this.parameters = request.params as Readonly<Record<string, string>>;
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

  get comeback(): Call['comeback'] {
    const answer = queryOf(this.request.url ?? '');
    return { answer, secret: TRY.in(this.request, this.#peers.isSecure(this.request)) };
  }

  as(caller: Caller): Way {
    return new RequestWay({ ...this.arrival, caller }, this.request, this.response, this.room);
  }

  get wait(): number | undefined {
    return this.#route?.mayWait === true ? preferredWait(this.request) : undefined;
  }

  get range(): RangeRequest | undefined {
    const { range, 'if-range': ifRange } = this.request.headers;
    // RFC 9110, section 14.2: only GET has parts.
    if (this.#route?.takesRange !== true || this.request.method !== 'GET' || range === undefined) {
      return undefined;
    }
    return { range, ifRange: ifRange?.toString() };
  }
}
