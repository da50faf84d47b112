import { piecesOf } from '../../domain/values/pieces.ts';
import type { CollectionPort } from '../ports/collection-port.ts';

/** How many records are read at once: records of earlier versions may have more than a megabyte each. */
export const READ_TOGETHER = 20;

/**
 * All valid records, or the ones with some ids, a few at a time.
 *
 * @throws DomainError `store-unavailable`.
 */
export async function* eachRecord<Kept, Id extends string>(
  collection: Pick<CollectionPort<Kept, Id>, 'ids' | 'list'>,
  ids?: readonly Id[],
): AsyncGenerator<readonly [Id, Kept]> {
  for (const some of piecesOf(ids ?? (await collection.ids()), READ_TOGETHER)) {
    yield* (await collection.list(some)).records;
  }
}
