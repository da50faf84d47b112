import { eventGrantShape } from '../../domain/events/event-ticket.ts';
import { ticketShape, type Tickets } from '../events/tickets.ts';
import { withOptionalOrder } from './input.ts';
import { operation } from './operation.ts';
import { answers } from './out.ts';

/** A ticket is kept for a while, and any holder of a token may ask for many. */
const MAX_GRANT_BODY = 16_384;

/** Tickets for event streams, for clients that cannot send a token. */
export function ticketOperations(tickets: Tickets) {
  return {
    issueTicket: operation({
      access: 'read',
      summary: 'Issue a ticket that opens one event stream without a token',
      description:
        'For browsers that cannot send a token with a stream: the ticket stands in the address, ' +
        'works once, and ends after a minute.',
      in: withOptionalOrder(eventGrantShape, 'queues and events', { most: MAX_GRANT_BODY }),
      out: answers(ticketShape, 'The ticket'),
      perform: ({ order }, { caller }) => tickets.issue(order, caller),
    }),
  };
}
