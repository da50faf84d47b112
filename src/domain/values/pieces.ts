/** Splits the items into pieces of this size; the last one may be shorter. */
export function piecesOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const pieces: (readonly Item[])[] = [];
  for (let first = 0; first < items.length; first += size) {
    pieces.push(items.slice(first, first + size));
  }
  return pieces;
}
