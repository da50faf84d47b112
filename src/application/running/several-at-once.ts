/**
 * Runs a function on each item, some at a time, and returns the results in order. The store always has a next command
 * at hand, and other callers still get their turn.
 *
 * @throws the first error. Runs that are in progress then still finish.
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
