import type { TicketOperations } from '../../../../../application/operations/ticket-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { ticketAnswer } from '../schemas/answer-shapes.ts';
import { eventGrantBody } from '../schemas/body-formats.ts';

/** Tickets for event streams, for clients that cannot send a token. */
export function ticketRoutes(tickets: TicketOperations): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/tickets',
      operation: tickets.issue,
      tag: 'Events',
      summary: 'Issue a ticket that opens one event stream without a token',
      description:
        'For browsers that cannot send a token with a stream: the ticket stands in the address, ' +
        'works once, and ends after a minute.',
      replies: { 200: jsonContent(ticketAnswer, 'The ticket') },
      body: eventGrantBody,
    }),
  ];
}
