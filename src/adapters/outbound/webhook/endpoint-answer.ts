import { completesJob, type EndpointAnswer } from '../../../domain/delivery.ts';
import { answerTooLarge } from './call-failures.ts';
import { CappedBytes } from './capped-bytes.ts';
import { decodeContent } from './content-decoding.ts';

// An import would load fetch and WebSocket too, on Node 24.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** The part of an answer that comes before its body. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/**
 * The answer as text. One that completes the job is taken whole or not at all. Any other is only
 * read for its message, so that a body which is too large or breaks its coding is cut instead.
 *
 * @throws EndpointCallError when the body of a completing answer is too large or not decodable.
 */
export async function endpointAnswer(head: AnswerHead, body: CappedBytes): Promise<EndpointAnswer> {
  const { status, statusText, contentType = '' } = head;
  const completes = completesJob(status);
  const decoded = await decodedBody(head, body, completes);
  if (completes && decoded.exceeded) throw answerTooLarge(decoded.limit);
  return {
    status,
    statusText: statusText || (STATUS_CODES[status] ?? ''),
    contentType,
    body: text(decoded.bytes()),
  };
}

async function decodedBody(
  head: AnswerHead,
  body: CappedBytes,
  completes: boolean,
): Promise<CappedBytes> {
  const encoding = head.contentEncoding?.trim().toLowerCase() ?? '';
  const bytes = body.bytes();
  if (encoding === '' || encoding === 'identity' || bytes.length === 0) return body;
  if (completes && body.exceeded) return body;
  const decoded = new CappedBytes(body.limit);
  try {
    await decodeContent(bytes, encoding, decoded);
  } catch (error) {
    if (completes) throw error;
  }
  return decoded;
}

/** Always UTF-8, as JSON is; a byte order mark is no part of the text. */
function text(bytes: Buffer): string {
  const decoded = bytes.toString('utf8');
  return decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded;
}
