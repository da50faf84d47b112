import { VIAS } from '../access/caller.ts';
import { isFault } from '../errors.ts';
import {
  anyJson,
  integer,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  required,
  string,
  text,
  type Shaped,
} from '../values/shape.ts';

/** How a call ended. A `started` call has not ended yet, or its replica died. */
export const AUDIT_OUTCOMES = ['ok', 'refused', 'failed', 'started'] as const;

export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** What a call was about. */
export const auditTargetShape = object('AuditTarget', {
  queue: optional(string, 'The queue'),
  job: optional(string, 'The id of the job'),
  worker: optional(string, 'The queue of the worker'),
  scheduler: optional(string, 'The id of the scheduler'),
  hook: optional(string, 'The id of the hook'),
  limit: optional(string, 'The name of the limit'),
  topic: optional(string, 'The name of the topic'),
  subscription: optional(string, 'The id of the subscription'),
  token: optional(string, 'The id of the token'),
});

export type AuditTarget = Shaped<typeof auditTargetShape>;

/** Who made a call. */
export const auditedCallerShape = object('AuditedCaller', {
  id: optional(string, 'The id of the token; absent in entries of earlier versions'),
  name: required(string, 'The name of the token, which other tokens may have too'),
  via: required(oneOf(...VIAS), 'How the request proved who sent it'),
  session: optional(string, 'The id of the session of a browser'),
  subject: optional(string, 'The person who signed in, as the issuer names them'),
});

/** Names of fields, filters and numbers; never data, header values or secrets. */
export type AuditDetail = Readonly<Record<string, unknown>>;

const ID = '^\\d{14}-\\d{6}-[A-Za-z0-9_-]+$';

/** Where a page of entries ended: the id of its last entry, which may have been removed since. */
export const auditCursor = text(
  'be a cursor returned by GET /audit',
  (cursor) => new RegExp(ID).test(cursor),
  { pattern: ID },
);

/** Who did what, where, and how it ended (platform contract, section 11). */
export const auditEntryShape = object('AuditEntry', {
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

/** An entry as it is stored. Ids are compared as strings. */
export type AuditEntry = Omit<Shaped<typeof auditEntryShape>, 'detail' | 'status'> & {
  readonly detail: AuditDetail;
  /** The action of the latest call, for an entry that several calls share. */
  readonly latest?: string;
  /** The code of the error with which the call ended; null for one that succeeded or has not ended. */
  readonly code?: string | null;
  /** The HTTP status of the answer, in records of earlier versions, which have no code. */
  readonly status?: number | null;
};

/**
 * Whether a token can repeat such a call as often as it likes without having changed anything but its own sessions:
 * because the call is refused, is about something that does not exist or does not allow it, or signs in or out. A fault
 * of the service may leave a change behind.
 */
export function isRepeatable({ action, outcome, code = null }: AuditEntry): boolean {
  if (outcome === 'ok') return action.startsWith('session.');
  return code !== null && !isFault(code);
}
