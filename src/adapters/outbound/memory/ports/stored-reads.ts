/** Resolves once what was read is stored; undefined when it is by now. */
export type Stored = () => Promise<void> | undefined;

/**
 * What a read of the memory returned, or the pieces that it yields, each once what it shows is stored: the memory is
 * ahead of the store.
 */
export function onceStored(returned: unknown, stored: Stored): unknown {
  return isPieces(returned)
    ? piecesOnceStored(returned, stored)
    : answerOnceStored(returned, stored);
}

async function answerOnceStored(returned: unknown, stored: Stored): Promise<unknown> {
  const answer = await returned;
  await stored();
  if (typeof answer !== 'object' || answer === null) return answer;
  const pieces = Object.entries(answer).filter(([, part]) => isPieces(part));
  if (pieces.length === 0) return answer;
  const whenStored = pieces.map(([name, part]) => [name, onceStored(part, stored)] as const);
  return { ...answer, ...Object.fromEntries(whenStored) };
}

async function* piecesOnceStored(pieces: AsyncIterable<unknown>, stored: Stored): AsyncGenerator {
  for await (const piece of pieces) {
    await stored();
    yield piece;
  }
}

function isPieces(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
