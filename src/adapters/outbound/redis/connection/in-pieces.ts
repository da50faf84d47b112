import { severalAtOnce } from '../../../../application/running/several-at-once.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';

/** How many of these runs are in progress at a time. */
const RUNS_AT_ONCE = 4;

/**
 * Runs a script or a command for pieces of many items, and returns the results of all in the order of the items.
 *
 * @param most how many items one run takes.
 * @throws as the runs.
 */
export async function inPieces<Item, Result>(
  items: readonly Item[],
  most: number,
  run: (piece: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results = await severalAtOnce(piecesOf(items, most), RUNS_AT_ONCE, run);
  return results.flatMap((each) => each);
}
