import type { Audit } from '../../../../../application/audit/audit.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { auditPageAnswer } from '../schemas/audit-answers.ts';
import { auditQuery } from '../schemas/query-schemas.ts';

/** The record of who changed what. */
export function auditRoutes(audit: Audit): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/audit',
      access: 'audit',
      operationId: 'readAudit',
      tag: 'Access',
      summary: 'Read who changed what, newest first',
      description:
        'Entries name fields, filters and numbers, never data or secrets. Refused calls are ' +
        'entries too.',
      replies: { 200: jsonContent(auditPageAnswer, 'The entries') },
      query: auditQuery,
      handle: async ({ query, caller }) => json(await audit.list(query, caller.onlyQueues)),
    }),
  ];
}
