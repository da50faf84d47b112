import type { IncomingMessage } from 'node:http';
import type { TraceContext } from '../../../../application/ports/tracing-port.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { EventGrant } from '../../../../domain/events/event-ticket.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { RangeRequest } from '../messages/byte-range.ts';
import { clientLeft, endOfWait } from '../messages/end-of-wait.ts';
import type { ExchangeResponse } from '../messages/exchange.ts';
import type { Peers } from '../messages/peers.ts';
import type { Reply } from '../messages/reply.ts';
import type { Arrival } from './arrival.ts';
import { preferredWait } from './prefer-wait.ts';
import type { InnerCall, Peer, Route, RoutedCall } from './route.ts';

/** What a request asks for, decoded. */
export interface DecodedRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: object;
  readonly body: unknown;
  readonly lastEventId: string | undefined;
  readonly identity: AddIdentity | undefined;
}

/** What a call is part of. */
export interface CallContext {
  readonly route: Route;
  readonly arrival: Arrival;
  readonly request: IncomingMessage;
  readonly response: ExchangeResponse;
  readonly peers: Peers;
  /** Performs a call of another route as part of the request. */
  readonly perform: (outer: RequestCall, inner: InnerCall) => Promise<Reply>;
}

/** A request as handlers see it. Properties that few handlers read are computed on demand. */
export class RequestCall implements RoutedCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: object;
  readonly body: unknown;
  readonly lastEventId: string | undefined;
  readonly identity: AddIdentity | undefined;
  readonly context: CallContext;

  constructor(decoded: DecodedRequest, context: CallContext) {
    this.parameters = decoded.parameters;
    this.query = decoded.query;
    this.body = decoded.body;
    this.lastEventId = decoded.lastEventId;
    this.identity = decoded.identity;
    this.context = context;
  }

  get caller(): Caller {
    return this.context.arrival.caller;
  }

  get token(): string {
    return this.context.arrival.token;
  }

  get grant(): EventGrant | undefined {
    return this.context.arrival.grant;
  }

  get peer(): Peer {
    const { arrival, peers, request } = this.context;
    return { address: arrival.address, isSecure: () => peers.isSecure(request) };
  }

  get ending(): () => AbortSignal {
    return () => endOfWait(this.context.response);
  }

  get gone(): () => AbortSignal {
    return () => clientLeft(this.context.response);
  }

  get wait(): number | undefined {
    const { route, request } = this.context;
    return route.mayWait === true ? preferredWait(request) : undefined;
  }

  get range(): RangeRequest | undefined {
    const { route, request } = this.context;
    const { range, 'if-range': ifRange } = request.headers;
    // RFC 9110, section 14.2: only GET has parts.
    if (route.takesRange !== true || request.method !== 'GET' || range === undefined) {
      return undefined;
    }
    return { range, ifRange: ifRange?.toString() };
  }

  /** The trace that the request names; undefined without a `traceparent`. */
  get trace(): TraceContext | undefined {
    const { traceparent, tracestate } = this.context.request.headers;
    if (typeof traceparent !== 'string') return undefined;
    return typeof tracestate === 'string' ? { traceparent, tracestate } : { traceparent };
  }

  get perform(): (inner: InnerCall) => Promise<Reply> {
    return (inner) => this.context.perform(this, inner);
  }
}
