import { JSON_TYPE, type Reply } from './reply.ts';

/** Characters up to which an answer is sent whole, with its length. */
const LARGEST_WHOLE = 262_144;

/** A JSON text that comes in pieces. A small one is sent whole, a large one as fast as its client reads. */
export async function jsonPieces(pieces: AsyncGenerator<string, undefined>): Promise<Reply> {
  let begun = '';
  while (begun.length <= LARGEST_WHOLE) {
    const { done, value } = await pieces.next();
    if (done === true) return { status: 200, contentType: JSON_TYPE, body: begun };
    begun += value;
  }
  return { status: 200, contentType: JSON_TYPE, pieces: continued(begun, pieces) };
}

async function* continued(
  begun: string,
  rest: AsyncGenerator<string, undefined>,
): AsyncGenerator<string> {
  try {
    yield begun;
    yield* rest;
  } finally {
    // Ends the iteration even if only its beginning was read.
    await rest.return(undefined);
  }
}
