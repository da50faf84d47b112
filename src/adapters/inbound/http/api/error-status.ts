import type { ErrorCode } from '../messages/http-error.ts';

/** The one table of error statuses. A new code does not compile until it has its line here. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  'invalid-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'job-not-found': 404,
  'deduplication-not-found': 404,
  'queue-empty': 404,
  'queue-not-found': 404,
  'worker-not-found': 404,
  'policy-not-found': 404,
  'scheduler-not-found': 404,
  'path-not-found': 404,
  'method-not-allowed': 405,
  'job-conflict': 409,
  'queue-active': 409,
  'worker-unsigned': 409,
  'idempotency-key-in-use': 409,
  'body-too-large': 413,
  'request-too-large': 413,
  'encoding-not-supported': 415,
  'idempotency-key-reused': 422,
  'queue-full': 429,
  'internal-error': 500,
  overloaded: 503,
  'store-unavailable': 503,
};
