import type { DomainErrorCode } from '../../../domain/errors.ts';
import { excerpt } from '../../../domain/values/text.ts';

/** What can go wrong between a client and the use cases, in HTTP terms. */
export type HttpErrorCode =
  | 'path-not-found'
  | 'method-not-allowed'
  | 'body-too-large'
  | 'encoding-not-supported'
  | 'range-not-satisfiable'
  | 'upgrade-required'
  | 'request-timeout'
  | 'overloaded'
  | 'internal-error';

export type ErrorCode = DomainErrorCode | HttpErrorCode;

/** A failure of a request before it reaches the use cases. The message is written for the client. */
export class HttpError extends Error {
  override readonly name = 'HttpError';

  constructor(
    readonly code: HttpErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** @param allow the supported methods, as the header lists them. */
export function methodNotAllowed(method: string, allow: string): HttpError {
  const message = `${excerpt(method)} is not allowed here, only ${allow}`;
  return new HttpError('method-not-allowed', message, { Allow: allow });
}

/** The client left before it could be answered, so no answer is sent. */
export class RequestAbortedError extends Error {
  override readonly name = 'RequestAbortedError';
}
