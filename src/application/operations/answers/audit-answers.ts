import { auditEntryShape } from '../../../domain/audit/audit-entry.ts';
import { listOf, nullable, object, required, string } from '../../../domain/values/shape.ts';

export const auditPageAnswer = object('AuditPage', {
  entries: required(listOf(auditEntryShape), 'The entries, newest first'),
  cursor: required(nullable(string), 'Where the next page begins; null on the last'),
});
