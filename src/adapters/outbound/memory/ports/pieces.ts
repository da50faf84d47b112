/* eslint-disable @typescript-eslint/require-await -- pieces are asked for as those of a store elsewhere */
import { LARGEST_PIECE } from '../records/kept-values.ts';
import { boundedPieces } from '../../../../domain/values/pieces.ts';
import type { Pieces } from '../../../../application/ports/queue-port.ts';

/** The items in pieces of bounded size, each converted when it is read; a larger item is a piece of its own. */
export function inPieces<Item, Shown>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  show: (items: readonly Item[]) => readonly Shown[],
): Pieces<Shown> {
  const [first = [], ...others] = boundedPieces(items, sizeOf, { size: LARGEST_PIECE });
  return others.length === 0 ? [show(first)] : oneByOne([first, ...others], show);
}

async function* oneByOne<Item, Shown>(
  pieces: readonly (readonly Item[])[],
  show: (items: readonly Item[]) => readonly Shown[],
): AsyncGenerator<readonly Shown[]> {
  for (const piece of pieces) yield show(piece);
}
