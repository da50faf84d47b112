import { CappedBytes } from './capped-bytes.ts';
import type { AnswerHead } from './endpoint-answer.ts';

/** An answer whose body is still to be read. */
export interface StreamedAnswer {
  readonly head: AnswerHead;
  readonly body: Chunks;
}

/** An answer whose body is read, as far as it counts. */
export interface ReadAnswer {
  readonly head: AnswerHead;
  readonly body: CappedBytes;
}

type Chunks = AsyncIterable<string | Buffer> | Iterable<Buffer>;

/** Reads to the end, or until there is more than `limit` bytes: that closes the stream. */
export async function readBody(body: Chunks, limit: number): Promise<CappedBytes> {
  const bytes = new CappedBytes(limit);
  for await (const chunk of body) {
    bytes.add(Buffer.from(chunk));
    if (bytes.exceeded) break;
  }
  return bytes;
}
