import type { Pieces } from '../ports/queue-port.ts';

/** A list as its caller sees it. Items that come in later pieces are shown as their piece is read. */
export function seenPieces<Item, Seen>(
  pieces: Pieces<Item>,
  show: (item: Item) => Seen,
): Pieces<Seen> {
  return Symbol.asyncIterator in pieces ? laterPieces(pieces, show) : [pieces[0].map(show)];
}

async function* laterPieces<Item, Seen>(
  pieces: AsyncIterable<readonly Item[]>,
  show: (item: Item) => Seen,
): AsyncGenerator<readonly Seen[]> {
  for await (const piece of pieces) yield piece.map(show);
}
