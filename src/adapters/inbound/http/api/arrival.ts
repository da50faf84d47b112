import type { IncomingMessage } from 'node:http';
import type { Tickets } from '../../../../application/events/tickets.ts';
import { HOLDER, NOBODY, type Caller } from '../../../../domain/access/caller.ts';
import { isUnauthorized } from '../../../../domain/errors.ts';
import type { EventGrant } from '../../../../domain/events/event-ticket.ts';
import { keepEarlyFrames } from '../messages/early-frames.ts';
import { queryOf } from '../messages/request-target.ts';
import type { ExchangeResponse } from '../../exchange/exchange.ts';
import type { Peers } from '../../exchange/peers.ts';
import { asksForWebSocket, refusePage } from '../messages/web-socket-request.ts';
import { tokenIn, type Auth, type Authentication } from './authentication.ts';
import type { LimitedCallers } from '../../exchange/limited-callers.ts';
import type { KnownCaller } from '../../exchange/request-way.ts';
import type { Route } from './route.ts';
import { SESSION } from './session-cookie.ts';

/** The caller of a request, and how it proved who it is. */
export interface Arrival extends KnownCaller {
  /** The bearer token itself, for routes that take the token of a job or need the raw token. */
  readonly token: string;
  /** The grant of the ticket, if the request has one in place of a token. */
  readonly grant: EventGrant | undefined;
}

/** The part of Tickets that requests need. */
export type TicketRedemption = Pick<Tickets, 'redeem'>;

export interface ArrivalHandling {
  readonly authentication: Authentication;
  readonly peers: Peers;
  readonly limitedCallers: LimitedCallers;
  readonly tickets: TicketRedemption;
}

const ANY_SITE = { 'Access-Control-Allow-Origin': '*' };

/**
 * Finds the caller of a request. A caller that this replica knows costs no turn of the event loop.
 *
 * @param route undefined for a method that the path does not have.
 * @throws DomainError `unauthorized`, or `store-unavailable` for a token that this replica does not know.
 */
export function arrive(
  handling: ArrivalHandling,
  route: Route | undefined,
  auth: Auth,
  request: IncomingMessage,
  response: ExchangeResponse,
): Arrival | Promise<Arrival> {
  const { authentication, limitedCallers, peers } = handling;
  const ticket = route?.takesTicket === true ? ticketOf(request) : undefined;
  const isWebSocket = route?.takesWebSocket === true && asksForWebSocket(request);
  if (isWebSocket) keepEarlyFrames(request, response);
  if (isWebSocket && ticket === undefined) refusePage(request);
  const address = peers.addressOf(request) ?? '';
  const needsToken = auth === 'job' || route?.access === 'bearer-token';
  const token = needsToken ? authentication.bearerToken(request.headers.authorization) : '';
  const arrivalOf = (caller: Caller, grant?: EventGrant, held = token): Arrival => {
    const mayBeLimited = auth === 'api' && route?.access !== 'metrics';
    const limited = mayBeLimited ? limitedCallers.of(caller) : undefined;
    return { caller, address, token: held, grant, limited };
  };
  if (ticket !== undefined) return arriveWithTicket(handling, ticket, response, arrivalOf);
  if (route?.orHolder === true) return arriveOrHold(handling, address, request, arrivalOf);
  const caller = auth === 'api' ? callerOf(handling, address, request) : NOBODY;
  return caller instanceof Promise ? caller.then((found) => arrivalOf(found)) : arrivalOf(caller);
}

/** The holder of the token of a request or, without a token, of its session. */
export function callerOf(
  { authentication, peers }: Pick<ArrivalHandling, 'authentication' | 'peers'>,
  address: string,
  request: IncomingMessage,
): Caller | Promise<Caller> {
  const { authorization, cookie } = request.headers;
  if (authorization === undefined && cookie !== undefined) {
    const session = SESSION.in(request, peers.isSecure(request));
    if (session !== undefined) return authentication.callerInSession(session, address);
  }
  return authentication.callerOf(authorization, address, request.socket);
}

/** A token that is none of the API may be that of a job, which the use case checks. */
async function arriveOrHold(
  handling: ArrivalHandling,
  address: string,
  request: IncomingMessage,
  arrivalOf: (caller: Caller, grant?: EventGrant, held?: string) => Arrival,
): Promise<Arrival> {
  try {
    return arrivalOf(await callerOf(handling, address, request));
  } catch (error) {
    const token = tokenIn(request.headers.authorization);
    if (!isUnauthorized(error) || token === undefined) throw error;
    return arrivalOf(HOLDER, undefined, token);
  }
}

async function arriveWithTicket(
  { authentication, tickets }: ArrivalHandling,
  ticket: string,
  response: ExchangeResponse,
  arrivalOf: (caller: Caller, grant: EventGrant) => Arrival,
): Promise<Arrival> {
  // With a ticket, pages of any site may read the answer, including the reason for a refusal.
  response.locals.headers = ANY_SITE;
  const { caller, grant } = await tickets.redeem(ticket);
  await authentication.checkInForce(caller);
  return arrivalOf(caller, grant);
}

/** The ticket in the query of a request. */
function ticketOf({ url = '' }: IncomingMessage): string | undefined {
  return new URLSearchParams(queryOf(url)).get('ticket') ?? undefined;
}
