import type { IncomingHttpHeaders } from 'node:http';
import { MissingRightError } from '../../../../domain/access/caller.ts';
import { LimitReachedError } from '../../../../domain/access/limit-reached-error.ts';
import type { Right } from '../../../../domain/access/right.ts';
import { DomainError, mayBeStored } from '../../../../domain/errors.ts';
import { tokenIn } from './authentication.ts';
import { ERROR_STATUS } from '../../exchange/error-status.ts';
import type { Refusal } from '../../exchange/exchange.ts';
import { HttpError, type ErrorCode } from '../../exchange/http-error.ts';
import { isNamedIn } from '../messages/named-in.ts';
import { STATUS_CODES } from '../messages/node-http.ts';
import type { ReplyHeaders, WholeReply } from '../../exchange/whole-reply.ts';
import { HTML_TYPE, json, textReply } from '../messages/reply.ts';
import { SIGN_IN_POLICY, signInPage } from '../site/sign-in-page.ts';

/**
 * How a route formats its errors: as plain text, as `{"error": ...}` (specification, "Errors"), or as a page for people
 * who sign in.
 */
export type ErrorStyle = 'text' | 'json' | 'page';

/** The header of an answer 503 to a change that is stored as a whole or not at all (platform contract, section 15). */
export const STORED = 'Jobgate-Stored';

/** Headers that belong to a status, regardless of the error. */
const STATUS_HEADERS: Readonly<Record<number, ReplyHeaders>> = {
  429: { 'Retry-After': '1' },
  503: { 'Retry-After': '1' },
};

/** Headers that belong to an error, where its status has others. */
const CODE_HEADERS: Partial<Readonly<Record<ErrorCode, ReplyHeaders>>> = {
  'idempotency-key-in-use': { 'Retry-After': '1' },
};

/** Whether no client can have caused the error: then its message must not leave the process. */
export function isUnexpected(error: unknown): boolean {
  return !(error instanceof DomainError || error instanceof HttpError);
}

/** Whether the request proved no right to anything: anyone can send such requests at any rate. */
export function isUnauthenticated({ code }: Refusal): boolean {
  return code === 'unauthorized' || code === 'issuer-unavailable';
}

/** The status of the answer to a failed request. */
export function statusOf(error: unknown): number {
  return ERROR_STATUS[known(error).code];
}

/** What the log reports of the error. */
export function refusal(error: unknown): Refusal {
  const field = error instanceof DomainError ? error.field : undefined;
  return { code: known(error).code, field };
}

/** What the answer depends on. */
interface FailedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Pick<IncomingHttpHeaders, 'accept' | 'authorization'>;
}

/** The answer to a failed request; a client that accepts RFC 9457 problems gets one. */
export function errorReply(
  error: unknown,
  style: ErrorStyle,
  { method, url = '', headers: { accept, authorization } }: FailedRequest,
): WholeReply {
  const { code, message, own } = known(error);
  const status = ERROR_STATUS[code];
  const headers = {
    ...(status === 401 ? challenge(authorization) : STATUS_HEADERS[status]),
    ...CODE_HEADERS[code],
    ...(mayBeStored(error) && !isRead(method) && { [STORED]: 'unknown' }),
    ...own,
  };
  if (isNamedIn(accept, 'application/problem+json')) {
    return problem(status, code, message, headers);
  }
  if (style === 'json' && status === 400)
    return json({ error: 'Invalid request' }, status, headers);
  if (style === 'json' && status === 404) return json({ error: message }, status, headers);
  if (style === 'page' && status !== 404) {
    const body = signInPage(error, status, message, url);
    return { status, contentType: HTML_TYPE, body, headers: { ...headers, ...SIGN_IN_POLICY } };
  }
  return textReply(message, status, headers);
}

function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

interface KnownError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly own?: ReplyHeaders;
}

function known(error: unknown): KnownError {
  if (error instanceof MissingRightError) {
    return { code: error.code, message: error.message, own: insufficientScope(error.right) };
  }
  if (error instanceof LimitReachedError) {
    const { code, message, endsIn } = error;
    return { code, message, own: { 'Retry-After': String(Math.ceil(endsIn / 1000)) } };
  }
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  if (error instanceof HttpError) {
    return { code: error.code, message: error.message, own: error.headers };
  }
  return { code: 'internal-error', message: 'Internal server error' };
}

/** RFC 6750, section 3: a request without a token learns nothing of an error. */
function challenge(authorization: string | undefined): ReplyHeaders {
  const isRefused = tokenIn(authorization) !== undefined;
  return { 'WWW-Authenticate': isRefused ? 'Bearer error="invalid_token"' : 'Bearer' };
}

/** RFC 6750, section 3.1. */
function insufficientScope(right: Right): ReplyHeaders {
  return { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${right}"` };
}

function problem(
  status: number,
  code: ErrorCode,
  detail: string,
  headers: ReplyHeaders,
): WholeReply {
  const body = { type: 'about:blank', title: STATUS_CODES[status], status, detail, code };
  return {
    status,
    contentType: 'application/problem+json; charset=utf-8',
    body: JSON.stringify(body),
    headers,
  };
}
