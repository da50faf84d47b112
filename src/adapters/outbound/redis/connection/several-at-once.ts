/**
 * Runs something over each item, some at a time, and answers what came of them in their order. The store has the
 * next one at hand when it is done with one, and others still get their turn.
 *
 * @throws what the first of them throws that fails; those that are under way then come to their end.
 */
export async function severalAtOnce<Item, Result>(
  items: readonly Item[],
  most: number,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: most }, work));
  return results;
}
