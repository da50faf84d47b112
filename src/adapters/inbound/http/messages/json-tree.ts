import type { EventLoopTurns } from './event-loop-turns.ts';
import { jsonPieces } from './json-pieces.ts';
import { stringify, type Reply } from './reply.ts';

/** An object of a tree, and its depth. */
interface TreeNode {
  readonly node: object;
  readonly depth: number;
}

/**
 * A tree of JSON objects, each with the objects below it in its last field, `children`. Of a large tree, no more than a
 * piece is held in memory, and other clients get a turn between pieces.
 *
 * @param nodes in pieces, each node before those below it.
 */
export function jsonTree(
  nodes: AsyncIterable<readonly TreeNode[]>,
  turns: EventLoopTurns,
): Promise<Reply> {
  return jsonPieces(treePieces(nodes, turns));
}

async function* treePieces(
  nodes: AsyncIterable<readonly TreeNode[]>,
  turns: EventLoopTurns,
): AsyncGenerator<string, undefined> {
  let open = 0;
  for await (const some of nodes) {
    await turns.next();
    let text = '';
    for (const { node, depth } of some) {
      if (depth < open) text += `${']}'.repeat(open - depth)},`;
      text += stringify({ ...node, children: [] }).slice(0, -2);
      open = depth + 1;
    }
    yield text;
  }
  yield ']}'.repeat(open);
  return undefined;
}
