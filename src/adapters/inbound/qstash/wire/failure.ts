import { LimitReachedError } from '../../../../domain/access/limit-reached-error.ts';
import { DomainError, mayBeStored } from '../../../../domain/errors.ts';
import { ERROR_STATUS } from '../../exchange/error-status.ts';
import { HttpError } from '../../exchange/http-error.ts';
import type { ProtocolFailure } from '../../exchange/protocol-listener.ts';
import type { ReplyHeaders, WholeReply } from '../../exchange/whole-reply.ts';

/** A part of QStash that is not served. The message is written for the client. */
export class NotServedError extends Error {
  override readonly name = 'NotServedError';
}

/** The answer to an error, as a client of QStash gets it. */
export function failureOf(error: unknown): ProtocolFailure {
  const isKnown = error instanceof DomainError || error instanceof HttpError;
  const isServed = !(error instanceof NotServedError);
  const code = isKnown ? error.code : isServed ? 'internal-error' : 'not-served';
  const status = code === 'not-served' ? 501 : ERROR_STATUS[code];
  const message = isKnown || !isServed ? error.message : 'Internal server error';
  const headers = {
    ...(error instanceof HttpError && error.headers),
    ...((status === 429 || status === 503) && { 'Retry-After': '1' }),
    ...(mayBeStored(error) && { 'Jobgate-Stored': 'unknown' }),
    ...(error instanceof LimitReachedError && burstHeaders(error)),
  };
  return {
    reply: { ...jsonReply(status, { error: message }), headers },
    code,
    isWithoutToken: status === 401,
    isDefect: !isKnown && isServed,
  };
}

export function jsonReply(status: number, value: object): WholeReply {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
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
