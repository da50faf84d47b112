import type { EventGrant } from '../../domain/events/event-ticket.ts';
import type { Tickets } from '../events/tickets.ts';
import type { Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

/** Tickets for event streams, for clients that cannot send a token. */
export function ticketOperations(tickets: Tickets) {
  return {
    issue: operation({
      id: 'issueTicket',
      access: 'read',
      perform: ({ order }: Ordered<EventGrant>, { caller }) => tickets.issue(order, caller),
    }),
  };
}

export type TicketOperations = ReturnType<typeof ticketOperations>;
