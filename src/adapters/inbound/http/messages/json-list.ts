import type { Pieces } from '../../../../application/ports/queue-port.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import { json, JSON_TYPE, stringify, type Reply } from './reply.ts';

/** Characters up to which an answer is sent whole, and its length told. */
const LARGEST_WHOLE = 262_144;

/**
 * A JSON object around a list whose items come in pieces. A small one is sent whole. Of a large one no more
 * than a piece is held in memory: it is sent as its client takes it, and others have a turn between pieces.
 *
 * @param show what of an item goes over the wire.
 * @param around makes the object around items: the list is its only empty one when there are none.
 */
export async function jsonList<Item, Shown>(
  items: Pieces<Item>,
  show: (item: Item) => Shown,
  around: (items: readonly Shown[]) => object,
  turns: EventLoopTurns,
): Promise<Reply> {
  if (!(Symbol.asyncIterator in items)) return json(around(items[0].map(show)));
  const pieces = jsonPieces(items, show, around, turns);
  let begun = '';
  while (begun.length <= LARGEST_WHOLE) {
    const { done, value } = await pieces.next();
    if (done === true) return { status: 200, contentType: JSON_TYPE, body: begun };
    begun += value;
  }
  return { status: 200, contentType: JSON_TYPE, pieces: continued(begun, pieces) };
}

async function* jsonPieces<Item, Shown>(
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

async function* continued(
  begun: string,
  rest: AsyncGenerator<string, undefined>,
): AsyncGenerator<string> {
  try {
    yield begun;
    yield* rest;
  } finally {
    // Ends it also when nobody wanted more than the beginning.
    await rest.return(undefined);
  }
}
