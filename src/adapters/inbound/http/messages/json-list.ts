import type { Pieces } from '../../../../application/ports/queue-port.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { jsonPieces } from './json-pieces.ts';
import { json, stringify, type Reply } from './reply.ts';

/**
 * A JSON object around a list whose items come in pieces. A small one is sent whole. Of a large one, no more than a
 * piece is held in memory: it is sent as fast as its client reads, and other clients get a turn between pieces.
 *
 * @param around makes the object around the items. Given no items, their list must be the only empty list in it.
 */
export async function jsonList(
  items: Pieces<unknown>,
  around: (items: readonly unknown[]) => object,
  turns: EventLoopTurns,
): Promise<Reply> {
  if (!(Symbol.asyncIterator in items)) return json(around(items[0]));
  return jsonPieces(listPieces(items, around, turns));
}

/** The items of a list that is in memory, to be written some at a time. */
export function inPieces<Item>(items: readonly Item[], atOnce: number): Pieces<Item> {
  if (items.length <= atOnce) return [items];
  return (async function* () {
    yield* await Promise.resolve(piecesOf(items, atOnce));
  })();
}

async function* listPieces(
  items: AsyncIterable<readonly unknown[]>,
  around: (items: readonly unknown[]) => object,
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
    yield separator + stringify(some).slice(1, -1);
    separator = ',';
  }
  yield `]${closing}`;
  return undefined;
}
