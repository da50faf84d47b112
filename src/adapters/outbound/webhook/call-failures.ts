import { EndpointCallError } from '../../../application/ports/webhook-port.ts';

/** Faults of an answer that the platform has no code for, or not the same one in every client. */
const MALFORMED_ANSWER = 'MALFORMED_ANSWER';
/** The endpoint switched protocols (101) without being asked to. */
export const UNEXPECTED_UPGRADE = 'UNEXPECTED_UPGRADE';
/** The endpoint said to continue (100) without being asked to, and the client does not bear it. */
export const UNEXPECTED_CONTINUE = 'UNEXPECTED_CONTINUE';

/** One code for each failure, however the client at hand calls it. */
const COMMON_CODES: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_SOCKET', 'ECONNRESET'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ECONNRESET'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'],
  ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'],
  ['HPE_HEADER_OVERFLOW', 'HPE_HEADER_OVERFLOW'],
]);

/**
 * The call could not be made, or its answer broke off: the code and the target. Never the message of
 * the error, nor more of the URL than its origin, as those may hold secrets of the endpoint.
 */
export function connectionFailed(error: unknown, origin: string): EndpointCallError {
  return callFailed(commonCode(error), origin);
}

export function callFailed(code: string, origin: string): EndpointCallError {
  return new EndpointCallError(`${code} ${origin}`);
}

function commonCode(error: unknown): string {
  if (!(error instanceof Error)) return 'CALL_FAILED';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const common = COMMON_CODES.get(code);
  if (common !== undefined) return common;
  return code.startsWith('HPE_') || code === 'HTTPParserError' ? MALFORMED_ANSWER : code;
}

/** @param timeout in milliseconds. */
export function timedOut(timeout: number): EndpointCallError {
  return new EndpointCallError(`Endpoint call timed out after ${timeout} ms`);
}

export function aborted(): EndpointCallError {
  return new EndpointCallError('Endpoint call was aborted');
}

/** @param limit in bytes. */
export function answerTooLarge(limit: number): EndpointCallError {
  return new EndpointCallError(`Endpoint answer exceeds ${limit} bytes`);
}

export function answerNotDecodable(encoding: string): EndpointCallError {
  return new EndpointCallError(`Endpoint answer cannot be decoded as ${encoding}`);
}
