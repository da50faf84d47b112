import {
  AUDIT_OUTCOMES,
  auditedCallerShape,
  auditTargetShape,
} from '../../../domain/audit/audit-entry.ts';
import {
  anyJson,
  integer,
  listOf,
  mapOf,
  nullable,
  object,
  oneOf,
  required,
  string,
} from '../../../domain/values/shape.ts';

const auditEntryAnswer = object('AuditEntry', {
  id: required(string, 'Later entries have greater ids'),
  at: required(integer(0), 'When it was (epoch ms)'),
  who: required(auditedCallerShape, 'The caller'),
  address: required(string, 'From where'),
  action: required(string, 'The action, as `<thing>.<verb>`'),
  target: required(auditTargetShape, 'The target of the action'),
  detail: required(
    mapOf(string, anyJson, 'be an object'),
    'Names of fields, filters and numbers; never data, header values or secrets',
  ),
  outcome: required(oneOf(...AUDIT_OUTCOMES), 'How it ended'),
  status: required(nullable(integer(200, 599)), 'The status of the answer; null before it'),
  requestId: required(string, 'The id of the request'),
});

export const auditPageAnswer = object('AuditPage', {
  entries: required(listOf(auditEntryAnswer), 'The entries, newest first'),
  cursor: required(nullable(string), 'Where the next page begins; null on the last'),
});
