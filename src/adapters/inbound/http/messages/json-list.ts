import type { Pieces } from '../../../../application/ports/queue-port.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import { jsonPieces } from './json-pieces.ts';
import { json, stringify, type Reply } from './reply.ts';

/**
 * A JSON object around a list whose items come in pieces. A small one is sent whole. Of a large one, no more than a
 * piece is held in memory: it is sent as fast as its client reads, and other clients get a turn between pieces.
 *
 * @param show the JSON of an item.
 * @param around makes the object around the items. Given no items, their list must be the only empty list in it.
 */
export async function jsonList<Item, Shown>(
  items: Pieces<Item>,
  show: (item: Item) => Shown,
  around: (items: readonly Shown[]) => object,
  turns: EventLoopTurns,
): Promise<Reply> {
  if (!(Symbol.asyncIterator in items)) return json(around(items[0].map(show)));
  return jsonPieces(listPieces(items, show, around, turns));
}

async function* listPieces<Item, Shown>(
  items: AsyncIterable<readonly Item[]>,
  show: (item: Item) => Shown,
  around: (items: readonly Shown[]) => object,
  turns: EventLoopTurns,
): AsyncGenerator<string, undefined> {
  const [opening = '', closing = ''] = stringify(around([])).split('[]');
  yield `${opening}[`;
  let separator = '';
  let isFirst = true;
  for await (const some of items) {
    if (!isFirst) await turns.next();
    isFirst = false;
    if (some.length === 0) continue;
    yield separator + stringify(some.map(show)).slice(1, -1);
    separator = ',';
  }
  yield `]${closing}`;
  return undefined;
}
