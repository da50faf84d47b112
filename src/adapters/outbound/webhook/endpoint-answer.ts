import {
  answerHeader,
  completesJob,
  type AnswerHeaders,
  type EndpointAnswer,
} from '../../../domain/calls/delivery.ts';
import { answerTooLarge } from './call-failures.ts';
import type { CallMemory } from './call-memory.ts';
import { CappedBytes } from './capped-bytes.ts';
import type { ContentDecoder } from './content-decoding.ts';

// An import would load fetch and WebSocket too, on Node 24.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** The part of an answer that comes before its body. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string | undefined;
  readonly headers: AnswerHeaders;
}

/**
 * The answer as text. An answer that completes the job is taken whole or not at all. Any other answer is only read for
 * its message, so a body that is too large or breaks its coding is cut instead.
 *
 * @param success the statuses of the endpoint that complete a job.
 * @param memory has a large answer wait for its part of the heap.
 * @param decoder shared by all calls of the client.
 * @throws EndpointCallError when the body of a completing answer is too large or not decodable.
 */
export function endpointAnswer(
  head: AnswerHead,
  body: CappedBytes,
  success: readonly string[] | undefined,
  decoder: ContentDecoder,
  memory: CallMemory,
): EndpointAnswer | Promise<EndpointAnswer> {
  const room = memory.roomFor(body.size);
  if (room === undefined) return readAnswer(head, body, success, decoder);
  return room.then(() => readAnswer(head, body, success, decoder));
}

function readAnswer(
  head: AnswerHead,
  body: CappedBytes,
  success: readonly string[] | undefined,
  decoder: ContentDecoder,
): EndpointAnswer | Promise<EndpointAnswer> {
  const completes = completesJob(head.status, success);
  const encoding = answerHeader(head, 'content-encoding')?.trim().toLowerCase() ?? '';
  const isPlain = encoding === '' || encoding === 'identity';
  if (isPlain) return answer(head, body, completes);
  const bytes = body.bytes();
  if (bytes.length === 0 || (completes && body.exceeded)) return answer(head, body, completes);
  return decodedAnswer(head, body, completes, (decoded) =>
    decoder.decode(bytes, encoding, decoded),
  );
}

async function decodedAnswer(
  head: AnswerHead,
  body: CappedBytes,
  completes: boolean,
  decode: (decoded: CappedBytes) => Promise<void>,
): Promise<EndpointAnswer> {
  const decoded = new CappedBytes(body.limit);
  try {
    await decode(decoded);
  } catch (error) {
    if (completes) throw error;
  }
  return answer(head, decoded, completes);
}

function answer(head: AnswerHead, body: CappedBytes, completes: boolean): EndpointAnswer {
  const { status, statusText, headers } = head;
  if (body.exceeded && completes) throw answerTooLarge(body.limit);
  return {
    status,
    statusText: statusText || (STATUS_CODES[status] ?? ''),
    headers,
    body: text(body.bytes()),
  };
}

/** Always UTF-8, as JSON is; a byte order mark is not part of the text. */
function text(bytes: Buffer): string {
  const decoded = bytes.toString('utf8');
  return decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded;
}
