/**
 * The fields of a hash, or the members of a sorted set, read in short steps. What changes meanwhile may be missing.
 *
 * @param scan runs HSCAN or ZSCAN from a cursor.
 */
export async function scannedNames(
  scan: (cursor: string) => Promise<[next: string, found: string[]]>,
): Promise<readonly string[]> {
  const names = new Set<string>();
  let cursor = '0';
  do {
    const [next, found] = await scan(cursor);
    for (let index = 0; index < found.length; index += 2) names.add(found[index] ?? '');
    cursor = next;
  } while (cursor !== '0');
  return [...names];
}
