/** Characters in one piece of what is read. */
const LARGEST_PIECE = 262_144;

/** Splits items into runs of bounded size; an item that is larger is a run of its own. */
export function* pieces<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
): Generator<readonly Item[]> {
  let piece: Item[] = [];
  let size = 0;
  for (const item of items) {
    const added = sizeOf(item);
    if (piece.length > 0 && size + added > LARGEST_PIECE) {
      yield piece;
      piece = [];
      size = 0;
    }
    piece.push(item);
    size += added;
  }
  yield piece;
}
