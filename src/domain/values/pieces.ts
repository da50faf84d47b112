/** Splits the items into pieces of this size; the last one may be shorter. */
export function piecesOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const pieces: (readonly Item[])[] = [];
  for (let first = 0; first < items.length; first += size) {
    pieces.push(items.slice(first, first + size));
  }
  return pieces;
}

/** How many items a piece may have, and how large they may be together, which is finite. */
export interface MostInPiece {
  readonly count?: number;
  readonly size: number;
}

/** Splits the items into pieces of bounded size; a larger item is a piece of its own. */
export function boundedPieces<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  most: MostInPiece,
): readonly (readonly Item[])[] {
  return [...piecesAsMade(items, sizeOf, most)];
}

/** The same of items that are made when they are read: no more than a piece of them is in memory. */
export function* piecesAsMade<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  { count = Infinity, size: most }: MostInPiece,
): Generator<readonly Item[], undefined> {
  let piece: Item[] = [];
  let size = 0;
  for (const item of items) {
    const length = sizeOf(item);
    size += length;
    if (piece.length > 0 && (size > most || piece.length >= count)) {
      yield piece;
      piece = [];
      size = length;
    }
    piece.push(item);
  }
  if (piece.length > 0) yield piece;
}
