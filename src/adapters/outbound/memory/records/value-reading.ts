import { LARGEST_PIECE, type KeptValues, type ValueKind } from './kept-values.ts';

/** In place of a value that has changed since it was read. */
export const UNREAD = Symbol('unread');

/** How values are read of which some are in memory and others on a disk alone. */
export interface ValueReading<Id, Owner, Value, Shown> {
  readonly kind: ValueKind<Owner, Value>;
  /** How many values one piece has at most. */
  readonly most: number;
  /** The owner of a value that is to be read from the disk, as it is now. */
  readonly elsewhere: (id: Id) => Owner | undefined;
  /** @param read the value, if it was read from the disk. */
  readonly show: (id: Id, read: Value | undefined) => Shown | typeof UNREAD;
  /** How many characters of it count. */
  readonly sizeOf: (shown: Shown) => number;
}

/** The first values as they are now, in the order of the ids: at least one, and about 256 kB. */
export async function readPiece<Id, Owner, Value, Shown>(
  values: KeptValues,
  ids: readonly Id[],
  { kind, most, elsewhere, show, sizeOf }: ValueReading<Id, Owner, Value, Shown>,
): Promise<readonly Shown[]> {
  const some = ids.slice(0, most);
  for (;;) {
    const read = await values.find(
      some.flatMap((id) => elsewhere(id) ?? []),
      kind,
    );
    const piece: Shown[] = [];
    let size = 0;
    for (const id of some) {
      const owner = elsewhere(id);
      if (owner !== undefined && !read.has(owner)) break;
      const shown = show(id, owner && read.get(owner));
      if (shown === UNREAD) break;
      size += sizeOf(shown);
      if (size > LARGEST_PIECE && piece.length > 0) break;
      piece.push(shown);
    }
    // Empty if the first one left the memory while others were read.
    if (piece.length > 0 || some.length === 0) return piece;
  }
}

/** All values, in such pieces. */
export async function* readPieces<Id, Owner, Value, Shown>(
  values: KeptValues,
  ids: readonly Id[],
  reading: ValueReading<Id, Owner, Value, Shown>,
): AsyncGenerator<readonly Shown[]> {
  for (let next = 0; next < ids.length;) {
    const piece = await readPiece(values, ids.slice(next, next + reading.most), reading);
    next += piece.length;
    yield piece;
  }
}
