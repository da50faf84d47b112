import type { FlowNode } from '../../api/answers.ts';

/**
 * The jobs that decide how long a flow takes: its root, and below each of them the child that ends last. A child that
 * has not ended is later than any that has; of several, it is the one that started first. Jobs that no longer exist
 * have no times.
 */
export function criticalPath(root: FlowNode): ReadonlySet<FlowNode> {
  const path = new Set<FlowNode>();
  for (let node: FlowNode | undefined = root; node !== undefined; node = latest(node.children)) {
    path.add(node);
  }
  return path.size > 1 ? path : new Set();
}

function latest(nodes: readonly FlowNode[] = []): FlowNode | undefined {
  return nodes
    .filter(({ timestamp }) => timestamp !== undefined)
    .reduce<FlowNode | undefined>(
      (best, node) => (best === undefined || isLater(node, best) ? node : best),
      undefined,
    );
}

function isLater(one: FlowNode, other: FlowNode): boolean {
  const [end, otherEnd] = [one.finishedOn ?? Infinity, other.finishedOn ?? Infinity];
  if (end !== otherEnd || end !== Infinity) return end > otherEnd;
  return (one.processedOn ?? Infinity) < (other.processedOn ?? Infinity);
}
