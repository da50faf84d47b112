import { byteOrder } from '../../../../domain/values/byte-order.ts';

/**
 * The ids of both, each once, in the order of their bytes.
 *
 * @param waiting pieces of ids in this order; only the last may be empty.
 * @param others in this order.
 */
export async function* inOrder(
  waiting: AsyncIterable<readonly string[]>,
  others: readonly string[],
): AsyncGenerator<readonly string[]> {
  let passed = 0;
  for await (const piece of waiting) {
    const ids: string[] = [];
    for (const id of piece) {
      let other = others[passed];
      for (; other !== undefined && byteOrder(other, id) < 0; other = others[passed]) {
        ids.push(other);
        passed += 1;
      }
      if (other === id) passed += 1;
      ids.push(id);
    }
    yield ids;
  }
  yield others.slice(passed);
}
