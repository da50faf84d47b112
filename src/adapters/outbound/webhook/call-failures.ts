import {
  EndpointCallError,
  ReplicaShortageError,
} from '../../../application/ports/webhook-port.ts';
import { lacksDescriptors, noteShortage } from './descriptor-shortage.ts';
import { AddressRefusedError } from './guard/address-refused-error.ts';

/** Faults of an answer for which the platform has no code, or not the same one in every client. */
const MALFORMED_ANSWER = 'MALFORMED_ANSWER';
/** The endpoint switched protocols (101) without being asked to. */
export const UNEXPECTED_UPGRADE = 'UNEXPECTED_UPGRADE';
/** The endpoint sent interim answers (status below 200) without end. */
export const TOO_MANY_INTERIM_ANSWERS = 'TOO_MANY_INTERIM_ANSWERS';
/** The endpoint sent far more bytes than its answer needs, in extensions of chunks. */
export const TOO_MANY_BYTES = 'TOO_MANY_BYTES';

/** A kept connection was reset before any byte of an answer. */
export const RESET_WHILE_KEPT = 'RESET_WHILE_KEPT';

/** The errors of writes and reads on a connection that the endpoint has closed. */
const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** The common code of a failure, by the codes that the clients use for it. */
const COMMON_CODES: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_SOCKET', 'ECONNRESET'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ECONNRESET'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'],
  [RESET_WHILE_KEPT, 'ECONNRESET'],
  ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'],
  ['HPE_HEADER_OVERFLOW', 'HPE_HEADER_OVERFLOW'],
]);

/** Faults of an answer, not of the connection. */
const UNUSABLE_ANSWERS: ReadonlySet<string> = new Set([MALFORMED_ANSWER, 'HPE_HEADER_OVERFLOW']);

/** Limited resources of the process or its machine: file descriptors, buffers, memory. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

const OF_DESCRIPTORS: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);

/**
 * The call could not be made, or its answer broke off: the code and the target. It never contains the message of the
 * error, nor more of the URL than its origin, as those may hold secrets of the endpoint.
 *
 * @param reached whether the origin was ever connected to.
 */
export function connectionFailed(
  error: unknown,
  origin: string,
  reached: boolean,
): EndpointCallError | ReplicaShortageError {
  const code = commonCode(error);
  if (code === AddressRefusedError.CODE) return new AddressRefusedError();
  if (systemCall(error) === 'getaddrinfo' && lacksDescriptors())
    return new ReplicaShortageError(`EMFILE ${origin}`);
  if (isShortage(code, error, reached)) {
    if (OF_DESCRIPTORS.has(code)) noteShortage();
    return new ReplicaShortageError(`${code} ${origin}`);
  }
  if (UNUSABLE_ANSWERS.has(code)) return callFailed(code, origin);
  return new EndpointCallError(`${code} ${origin}`, 'refused');
}

/**
 * Only if the connection was not opened, so that the endpoint has not seen the call. Local ports run out for an origin
 * to which many connections were made; for any other origin, the code means that the address is unusable.
 */
function isShortage(code: string, error: unknown, reached: boolean): boolean {
  if (code === 'EADDRNOTAVAIL') return reached;
  return SHORTAGES.has(code) && !['read', 'write'].includes(systemCall(error));
}

function systemCall(error: unknown): string {
  const { syscall, erroredSysCall = syscall } = error as Record<string, unknown>;
  return String(erroredSysCall);
}

/** Whether the endpoint closed the connection. */
export function isReset(error: unknown): boolean {
  return RESETS.has(commonCode(error));
}

export function isResetWhileKept(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === RESET_WHILE_KEPT;
}

/** The endpoint sent an unusable answer. */
export function callFailed(code: string, origin: string): EndpointCallError {
  return new EndpointCallError(`${code} ${origin}`, 'failed');
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
  return new EndpointCallError(`Endpoint call timed out after ${timeout} ms`, 'timeout');
}

export function aborted(): EndpointCallError {
  return new EndpointCallError('Endpoint call was aborted', 'failed');
}

/** @param limit in bytes. */
export function answerTooLarge(limit: number): EndpointCallError {
  return new EndpointCallError(`Endpoint answer exceeds ${limit} bytes`, 'failed');
}

export function answerNotDecodable(encoding: string): EndpointCallError {
  return new EndpointCallError(`Endpoint answer cannot be decoded as ${encoding}`, 'failed');
}
