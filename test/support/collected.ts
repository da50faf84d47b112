import type { Pieces } from '../../src/application/ports/queue-port.ts';

/** All items of a list that comes in pieces. */
export async function collected<Item>(pieces: Pieces<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const piece of pieces) items.push(...piece);
  return items;
}
