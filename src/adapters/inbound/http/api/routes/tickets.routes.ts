import type { Tickets } from '../../../../../application/events/tickets.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { ticketAnswer } from '../schemas/answer-shapes.ts';
import { eventGrantBody } from '../schemas/body-formats.ts';

/** Leave to follow events for those who cannot show a token. */
export function ticketRoutes(tickets: Tickets): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/tickets',
      auth: 'api',
      operationId: 'issueTicket',
      tag: 'Events',
      summary: 'Let somebody follow events once without a token',
      replies: { 200: jsonContent(ticketAnswer, 'The ticket') },
      body: eventGrantBody,
      handle: async ({ body }) => json(await tickets.issue(body)),
    }),
  ];
}
