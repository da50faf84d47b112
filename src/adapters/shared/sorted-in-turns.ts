import { setImmediate } from 'node:timers/promises';
import { piecesOf } from '../../domain/values/pieces.ts';

/** How many items one turn of the event loop sorts or merges, in about a millisecond. */
const ITEMS_OF_A_TURN = 2000;

/** Sorts any number of items without keeping the event loop from others. */
export async function sortedInTurns<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (const piece of piecesOf(items, ITEMS_OF_A_TURN)) {
    runs.push(piece.toSorted(compare));
    await setImmediate();
  }
  while (runs.length > 1) {
    const longer: (readonly Item[])[] = [];
    for (const [one = [], other] of piecesOf(runs, 2)) {
      longer.push(other === undefined ? one : await merged(one, other, compare));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  const others = other.values();
  let next = others.next();
  for (const item of one) {
    while (next.done !== true && compare(next.value, item) < 0) {
      all.push(next.value);
      next = others.next();
      if (all.length % ITEMS_OF_A_TURN === 0) await setImmediate();
    }
    all.push(item);
    if (all.length % ITEMS_OF_A_TURN === 0) await setImmediate();
  }
  for (; next.done !== true; next = others.next()) all.push(next.value);
  return all;
}
