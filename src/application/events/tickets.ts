import { integer, object, required, string, type Shaped } from '../../domain/values/shape.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { Caller } from '../../domain/access/caller.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  eventGrantShape,
  MOST_TICKETS,
  TICKET_LIFE,
  type EventGrant,
  type TicketGrant,
} from '../../domain/events/event-ticket.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { OneTimeStorePort } from '../ports/one-time-store-port.ts';
import type { TokenPort } from '../ports/token-port.ts';

export const ticketShape = object('Ticket', {
  ticket: required(string, 'Good once, as `?ticket=` of the paths of events'),
  expires: required(integer(0), 'Until when it is valid, in epoch ms'),
});
export type Ticket = Shaped<typeof ticketShape>;

export interface RedeemedTicket {
  readonly grant: EventGrant;
  readonly caller: Caller;
}

/** Issues tickets for event streams, for clients that cannot send a token, such as browser pages. */
export class Tickets {
  readonly #store: OneTimeStorePort<TicketGrant>;
  readonly #tokens: TokenPort;
  readonly #clock: ClockPort;

  constructor(store: OneTimeStorePort<TicketGrant>, tokens: TokenPort, clock: ClockPort) {
    this.#store = store;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /**
   * Issues a ticket for events that the caller itself may follow.
   *
   * @throws DomainError `invalid-request` naming the field, `forbidden` for queues of which the caller may use none, or
   * `store-unavailable`.
   */
  async issue(grant: EventGrant, caller: Caller): Promise<Ticket> {
    checkShape(eventGrantShape, grant, '');
    for (const pattern of grant.queues ?? []) caller.requireSomeQueue(pattern);
    const ticket = this.#tokens.draw();
    const expires = this.#clock.now() + TICKET_LIFE;
    const bounds = { owner: caller.id, life: TICKET_LIFE, most: MOST_TICKETS };
    await this.#store.save(ticket, { grant, caller: caller.facts }, bounds);
    return { ticket, expires };
  }

  /**
   * Uses up the ticket: it can be redeemed once.
   *
   * @throws DomainError `unauthorized` when it is unknown, expired or used, or `store-unavailable`.
   */
  async redeem(ticket: string): Promise<RedeemedTicket> {
    const taken = await this.#store.take(ticket);
    if (taken === undefined) throw new DomainError('unauthorized', 'The ticket is not valid');
    return { grant: taken.grant, caller: new Caller(taken.caller) };
  }
}
