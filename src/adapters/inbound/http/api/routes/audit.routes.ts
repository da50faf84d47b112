import type { ServiceOperations } from '../../../../../application/operations/service-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { shownEntry, type StatusOfAction } from '../audit-status.ts';
import { route, type Route } from '../route.ts';
import { auditPageAnswer } from '../schemas/audit-answers.ts';
import { auditQuery } from '../schemas/query-schemas.ts';

/** The record of who changed what. */
export function auditRoutes(
  service: ServiceOperations,
  statusOfAction: StatusOfAction,
): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/audit',
      operation: service.readAudit,
      tag: 'Access',
      summary: 'Read who changed what, newest first',
      description:
        'Entries name fields, filters and numbers, never data or secrets. Refused calls are ' +
        'entries too.',
      replies: { 200: jsonContent(auditPageAnswer, 'The entries') },
      query: auditQuery,
      input: ({ query }) => ({ query }),
      reply: ({ entries, cursor }) =>
        json({ entries: entries.map((entry) => shownEntry(entry, statusOfAction)), cursor }),
    }),
  ];
}
