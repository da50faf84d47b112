import { CappedBytes } from './capped-bytes.ts';
import type { AnswerHead } from './endpoint-answer.ts';

/** An answer with an unread body. */
export interface StreamedAnswer {
  readonly head: AnswerHead;
  readonly body: Chunks;
}

/** An answer with its body, read up to the limit. */
export interface ReadAnswer {
  readonly head: AnswerHead;
  readonly body: CappedBytes;
}

type Chunks = AsyncIterable<string | Buffer> | Iterable<Buffer>;

/** Reads to the end, or until there are more than `limit` bytes, which closes the stream. */
export async function readBody(body: Chunks, limit: number): Promise<CappedBytes> {
  const bytes = new CappedBytes(limit);
  for await (const chunk of body) {
    bytes.add(Buffer.from(chunk));
    if (bytes.exceeded) break;
  }
  return bytes;
}
