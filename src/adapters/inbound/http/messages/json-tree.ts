import type { EventLoopTurns } from './event-loop-turns.ts';
import { jsonPieces } from './json-pieces.ts';
import { stringify, type Reply } from './reply.ts';

/**
 * A tree of JSON objects, each with the objects below it in its last field, `children`. Of a large tree, no more than a
 * piece is held in memory, and other clients get a turn between pieces.
 *
 * @param nodes in pieces, each node before those below it, with its depth.
 * @param show the JSON of a node.
 */
export function jsonTree<Node extends { readonly depth: number }>(
  nodes: AsyncIterable<readonly Node[]>,
  show: (node: Node) => object,
  turns: EventLoopTurns,
): Promise<Reply> {
  return jsonPieces(treePieces(nodes, show, turns));
}

async function* treePieces<Node extends { readonly depth: number }>(
  nodes: AsyncIterable<readonly Node[]>,
  show: (node: Node) => object,
  turns: EventLoopTurns,
): AsyncGenerator<string, undefined> {
  let open = 0;
  for await (const some of nodes) {
    await turns.next();
    let text = '';
    for (const node of some) {
      if (node.depth < open) text += `${']}'.repeat(open - node.depth)},`;
      text += stringify({ ...show(node), children: [] }).slice(0, -2);
      open = node.depth + 1;
    }
    yield text;
  }
  yield ']}'.repeat(open);
  return undefined;
}
