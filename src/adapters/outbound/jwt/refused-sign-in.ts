import {
  AuthorizationResponseError,
  INVALID_RESPONSE,
  JSON_ATTRIBUTE_COMPARISON,
  JWT_CLAIM_COMPARISON,
  JWT_TIMESTAMP_CHECK,
  KEY_SELECTION,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
} from 'oauth4webapi';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import { DomainError, invalidRequest } from '../../../domain/errors.ts';
import { isObject } from '../../../domain/values/json.ts';
import { excerpt } from '../../../domain/values/text.ts';
import { issuerUnavailable } from './issuer-reading.ts';

/** What a token or an answer has that is not as it must be. */
const MISTAKES: readonly (string | undefined)[] = [
  INVALID_RESPONSE,
  JSON_ATTRIBUTE_COMPARISON,
  JWT_CLAIM_COMPARISON,
  JWT_TIMESTAMP_CHECK,
  KEY_SELECTION,
];

/** The error of a sign-in: `invalid-request` where it is refused, `issuer-unavailable` where the issuer does not do its part. */
export function refusalOf(error: unknown, issuer: string, logger: LoggerPort): DomainError {
  if (error instanceof DomainError) return error;
  const reason = reasonOf(error);
  if (reason !== undefined) return invalidRequest(`The sign-in was refused: ${excerpt(reason)}`);
  logger.warn('An issuer does not answer as it must', { issuer, error });
  return issuerUnavailable(error);
}

/** Why a sign-in is refused; undefined for a fault of the issuer or the configuration. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof AuthorizationResponseError) return `the issuer answered ${error.error}`;
  if (error instanceof ResponseBodyError) {
    return error.error === 'invalid_grant' ? 'the issuer answered invalid_grant' : undefined;
  }
  if (error instanceof UnsupportedOperationError) return error.message;
  if (!(error instanceof OperationProcessingError) || !MISTAKES.includes(error.code))
    return undefined;
  const isAboutAnswer =
    error.code === INVALID_RESPONSE && isObject(error.cause) && 'body' in error.cause;
  return isAboutAnswer ? undefined : error.message;
}
