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
  { count = Infinity, size: most }: MostInPiece,
): readonly (readonly Item[])[] {
  const pieces: Item[][] = [];
  let piece: Item[] = [];
  let size = Infinity;
  for (const item of items) {
    const length = sizeOf(item);
    size += length;
    if (size > most || piece.length >= count) {
      piece = [];
      pieces.push(piece);
      size = length;
    }
    piece.push(item);
  }
  return pieces;
}
