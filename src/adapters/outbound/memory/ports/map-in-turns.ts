import { setImmediate as turn } from 'node:timers/promises';
import { piecesOf } from '../../../../domain/values/pieces.ts';

/** How many items one turn of the event loop takes. */
const ITEMS_PER_TURN = 250;

/** Maps a list that may be long, some items at a time: others have their turn in between. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const some of piecesOf(items, ITEMS_PER_TURN)) {
    if (results.length > 0) await turn();
    for (const item of some) results.push(map(item));
  }
  return results;
}
