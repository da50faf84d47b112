import { LimitReachedError } from '../../../../domain/access/limit-reached-error.ts';
import { DomainError, mayBeStored } from '../../../../domain/errors.ts';
import { ERROR_STATUS } from '../../exchange/error-status.ts';
import { HttpError, type ErrorCode } from '../../exchange/http-error.ts';
import type { ReplyHeaders, WholeReply } from '../../exchange/whole-reply.ts';

export const JSON_TYPE = 'application/json';

/** A part of QStash that is not served. The message is written for the client. */
export class NotServedError extends Error {
  override readonly name = 'NotServedError';
}

/** An error as a client of QStash gets it. */
export interface Failure {
  readonly code: ErrorCode | 'not-served';
  readonly status: number;
  readonly message: string;
  readonly headers: ReplyHeaders;
}

/** Undefined for a defect, whose message must not leave the process. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof NotServedError) {
    return { code: 'not-served', status: 501, message: error.message, headers: {} };
  }
  if (!(error instanceof DomainError || error instanceof HttpError)) return undefined;
  const { code, message } = error;
  const status = ERROR_STATUS[code];
  const headers = {
    ...(error instanceof HttpError && error.headers),
    ...((status === 429 || status === 503) && { 'Retry-After': '1' }),
    ...(mayBeStored(error) && { 'Jobgate-Stored': 'unknown' }),
    ...(error instanceof LimitReachedError && burstHeaders(error)),
  };
  return { code, status, message, headers };
}

export const DEFECT: Failure = {
  code: 'internal-error',
  status: ERROR_STATUS['internal-error'],
  message: 'Internal server error',
  headers: {},
};

export function failureReply({ status, message, headers }: Failure): WholeReply {
  return { status, contentType: JSON_TYPE, body: JSON.stringify({ error: message }), headers };
}

/** When the quota is whole again is told in seconds since 1970. */
function burstHeaders({ limit, left, endsIn }: LimitReachedError): ReplyHeaders {
  return {
    'Retry-After': String(Math.ceil(endsIn / 1000)),
    'Burst-RateLimit-Limit': String(limit.max),
    'Burst-RateLimit-Remaining': String(left),
    'Burst-RateLimit-Reset': String(Math.ceil((Date.now() + endsIn) / 1000)),
  };
}
